"""The command ``syncpoint``, which adds to nbgrader's own commands."""

import typer

from .collect import collect
from .dashboard import dashboard
from .demo import demo
from .grading import grade
from .late import excuse, extend, late, time_factor
from .lms import lti_keys, send_marks
from .log import log
from .machine import doctor, engine
from .new import init, new
from .regrade import answer, ask, questions
from .results import feedback, scores, why
from .roster import roster
from .similarity import similarity
from .translations import translations
from .tries import tries
from .upkeep import adopt_gradebook, forget, move_gradebook, prune, restart
from .variants import variants
from .vet import vet
from .viva import viva
from .watch import watch
from .who import who

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
