"""The written viva in nbgrader's exchange: each student's questions, their predictions, and then the answers.

An answer is put where the student can read it when their prediction is in the gradebook, and not before.
"""

from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from sqlalchemy.orm import Session

from ..check.status import note_name
from ..check.viva import ABOUT, BEGINNING, CHOICES, LETTERS, MAX_REASON_CHARACTERS
from ..core.language import speaking
from ..core.messages import Message, listed, say
from ..course.folder import Course
from ..nbgrader_hooks.feedback_release import secret_of
from ..records.database import one_transaction
from ..records.tables import VivaQuestion
from ..records.viva import asked, predict, questions
from ..report.html import Html, join, tag
from ..report.row import STYLE, labelled
from ..translations.catalogue import spoken
from .inbox import ExchangeFolder, Submissions, by_secret, received
from .notes import as_note, write_note

QUESTION_NUMBERS_END = 100  # questions have lower numbers
NOT_SHOWN = (
    "{assignment}: the questions of {student} could not be put into the exchange: {why}. Run "
    "`syncpoint viva {assignment} --written` again."
)


def predictions_wait(inbound: Path) -> bool:
    return any(path.is_file() for path in inbound.glob(f"{BEGINNING}*.json"))


def collect_predictions(course: Course, gradebook: Gradebook) -> list[str]:
    """Store first predictions and show the measured answers; return sentences for the course."""
    exchange = ExchangeFolder.of(course)

    def submissions() -> Submissions:
        with one_transaction(gradebook) as session:
            return by_secret(course, asked(session))

    sentences: list[str] = []
    seen = set[tuple[str, str, int]]()  # thousands of files from one student delay nobody
    for student, assignment, content in received(exchange, BEGINNING, submissions):
        match content:
            case {"question": int(number), "prediction": str(choice), "why": str(why)} if (
                0 < number < QUESTION_NUMBERS_END
                and (student, assignment, number) not in seen
                and choice in CHOICES
                and why.strip()
                and len(why) <= MAX_REASON_CHARACTERS
            ):
                seen.add((student, assignment, number))
                predict(gradebook, student, assignment, number, choice, why)
                sentences += show(exchange, gradebook, student, assignment)
    return sentences


def show(exchange: ExchangeFolder, gradebook: Gradebook, student: str, assignment: str) -> list[str]:
    """Show questions, and answers to those predicted, if the work came by the exchange; return what went wrong."""
    secret = secret_of(exchange.course.root / "submitted" / student / assignment)
    if not secret:
        return []
    with one_transaction(gradebook) as session:
        text = _note(exchange.course, session, student, assignment)
    try:
        write_note(exchange.path / "feedback", note_name(secret, assignment + ABOUT), text, exchange.shared)
    except OSError as problem:
        why = problem.strerror or str(problem)
        return [NOT_SHOWN.format(assignment=assignment, student=student, why=why)]
    return []


def _note(course: Course, session: Session, student: str, assignment: str) -> str:
    found = questions(session, assignment, student)
    language = found[0].language if found else ""
    still_open = [one.number for one in found if one.predicted_at is None]
    messages = [Message.of("viva_open", numbers=listed(map(str, still_open)))] if still_open else []
    if points := max((one.worth for one in found), default=0.0):
        messages.append(Message.of("viva_worth", points=points))
    if not still_open:
        messages.append(Message("viva_done"))
    with speaking(spoken(course, language, assignment)):
        reports = [str(_shown(one)) for one in found]
    more: dict[str, Any] = {"asked": [one.number for one in found], "open": still_open}
    return as_note(course, assignment, messages, reports, language, **more)


def _shown(one: VivaQuestion) -> Html:
    """Return a question with the parts that its student may see now."""
    if one.predicted_at is None:
        choices = [tag("li", say(f"viva_{choice}")) for choice in LETTERS.values()]
        rest = tag("ol", *choices, type="a")
    else:
        lines = (
            ("viva_predicted", say(f"viva_{one.prediction}")),
            ("viva_why", one.why or ""),
            ("viva_measured", say(f"viva_{one.kind}")),
        )
        rest = join(*(tag("div", *labelled(say(code), text, "b")) for code, text in lines), Html(one.answer))
    return tag("div", Html(one.question), rest, style=STYLE["box"], **{"class": "tex2jax_ignore mathjax_ignore"})
