"""The command ``syncpoint``, which adds to nbgrader's own commands."""

import typer

from .dashboard import dashboard
from .demo import demo
from .grading import grade
from .late import excuse, extend, late, time_factor
from .lms import collect, lti_keys, send_marks
from .marks import answer, ask, log, questions, tries
from .new import init, new
from .results import feedback, scores, why
from .students import roster, similarity, variants, who
from .translations import translations
from .upkeep import adopt_gradebook, doctor, engine, forget, move_gradebook, prune, restart
from .vet import vet
from .viva import viva
from .watch import watch

app = typer.Typer(
    help="Syncpoint: graded exercises on asynchronous computation. These commands add to nbgrader's.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (
    doctor,
    init,
    new,
    grade,
    watch,
    demo,
    scores,
    why,
    tries,
    feedback,
    roster,
    variants,
    collect,
    send_marks,
    lti_keys,
    extend,
    excuse,
    time_factor,
    late,
    similarity,
    viva,
    log,
    ask,
    questions,
    answer,
    prune,
    forget,
    restart,
    move_gradebook,
    adopt_gradebook,
    dashboard,
    who,
):
    app.command()(command)
app.add_typer(vet, name="vet")
app.add_typer(engine, name="engine")
app.add_typer(translations, name="translations")
