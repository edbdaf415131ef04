"""The written viva: stores questions in the gradebook, and shows them only to their student."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook

from ..core.language import SOURCE, speaking
from ..core.messages import say
from ..course.folder import Course
from ..course.intake import METADATA
from ..exchange.inbox import ExchangeFolder
from ..exchange.viva import collect_predictions
from ..exchange.viva import show as show_to_student
from ..nbgrader_hooks.feedback_release import secret_of
from ..records.database import one_transaction
from ..records.gradebook import open_gradebook
from ..records.student_details import languages
from ..records.tables import VivaQuestion, utc_now
from ..records.viva import questions
from ..report.html import NOTHING, Html, coded, join, tag
from ..report.row import STYLE
from ..translations.catalogue import spoken
from .ask_class import Asked, ask_class
from .choose import chance
from .own_questions import Choice, read_choice
from .sheet import Item, Line, items, prepared

NO_SECRET = "{student} has not submitted through the exchange: print a sheet instead."
NO_QUESTION = "{student}: no change of this student's code could be measured."
CODE = (
    "font:12px/1.4 ui-monospace,monospace;overflow-x:auto;white-space:pre;border-left:3px solid #8888;padding-left:.6em"
)
STYLES = {"old": "background:#d9534f33;text-decoration:line-through", "new": "background:#2e9e5b33"}


def ask_in_writing(
    course: Course,
    assignment: str,
    students: Sequence[str],
    seed: str,
    language: str,
    jobs: int,
    show: Callable[[str], None],
) -> tuple[list[str], list[VivaQuestion]]:
    """Collect predictions, ask students without questions, and put everything into the exchange.

    The questions are in ``language``, or "" for each student's own.  Returns sentences for the teacher, and all
    questions.
    """
    with open_gradebook(course) as gradebook:
        notes = collect_predictions(course, gradebook)
        with one_transaction(gradebook) as session:
            before = {one.student for one in questions(session, assignment)}
    asked = ask_class(course, assignment, students, seed, jobs, show, before)
    choice = read_choice(course, assignment)
    with open_gradebook(course) as gradebook:
        notes += [*asked.notes, *keep(course, gradebook, assignment, asked, choice, seed, language)]
        notes += show_all(course, gradebook, assignment)
        with one_transaction(gradebook) as session:
            return notes, questions(session, assignment)


def keep(
    course: Course, gradebook: Gradebook, assignment: str, asked: Asked, choice: Choice, seed: str, language: str = ""
) -> list[str]:
    """Store questions for students who have none; return, in sentences, who gets none."""
    notes = []
    with one_transaction(gradebook) as session:
        before, spoken_by = {one.student for one in questions(session, assignment)}, languages(session)
    for student, some in asked.questions.items():
        if student in before:
            continue
        name = language or spoken_by.get(student) or _language_of(course, student, assignment)
        with speaking(spoken(course, name, assignment)):
            in_words = [one for one in prepared(choice, asked.work[student], seed) if one.kind]
            # On the sheet the easiest question comes first, which would reveal the answers.
            found = sorted(items(some, in_words, choice), key=lambda item: chance(seed, student, item.question))
            rows = [
                VivaQuestion(
                    student=student,
                    assignment=assignment,
                    number=number,
                    exercise=item.exercise,
                    language=name,
                    question=_question(item, number),
                    answer=_measured(item),
                    kind=item.kind,
                    worth=choice.points if item.exercise else 0.0,
                    asked_at=utc_now(),
                )
                for number, item in enumerate(found, 1)
            ]
        if not rows:
            notes.append(NO_QUESTION.format(student=student))
        with one_transaction(gradebook) as session:
            session.add_all(rows)
    return notes


def show_all(course: Course, gradebook: Gradebook, assignment: str) -> list[str]:
    """Put everybody's questions into the exchange; return, in sentences, who cannot find them there."""
    exchange = ExchangeFolder.of(course)
    with one_transaction(gradebook) as session:
        students = sorted({one.student for one in questions(session, assignment)})
    notes = []
    for student in students:
        if secret_of(course.root / "submitted" / student / assignment):
            notes += show_to_student(exchange, gradebook, student, assignment)
        else:
            notes.append(NO_SECRET.format(student=student))
    return notes


def _language_of(course: Course, student: str, assignment: str) -> str:
    for path in sorted(Path(course.root, "autograded", student, assignment).glob("*.ipynb")):
        return str(nbformat.read(path, as_version=4).metadata.get(METADATA, SOURCE))
    return SOURCE


def _question(item: Item, number: int) -> Html:
    """Return what the student sees before the prediction; it must not depend on the measurement."""
    what = [" ", say("viva_what")] if item.measured else []
    return join(
        tag("div", say("viva_question", number=number, exercise=item.exercise), style=STYLE["head"]),
        tag("div", say("viva_called", how=item.called)) if item.called else NOTHING,
        tag("div", *_code(item.lines), style=CODE) if item.lines else NOTHING,
        tag("p", coded(item.question), *what),
    )


def _code(lines: Sequence[Line]) -> Iterator[Html]:
    for line in lines:
        style = {"style": STYLES[line.kind]} if line.kind else {}
        yield tag("div", f"{line.number:>3}  {line.text}", **style)


def _measured(item: Item) -> Html:
    pictures = (("viva_before", item.before), ("viva_after", item.after or tag("p", say("viva_same_picture"))))
    return join(
        tag("ul", *(tag("li", coded(sentence)) for sentence in item.answer)),
        *(
            join(tag("div", say(code)), tag("div", shown, style="overflow-x:auto"))
            for code, shown in (pictures if item.before else ())
        ),
        tag("div", item.signs, say("picture_caption"), style=STYLE["signs"]) if item.before else NOTHING,
    )
