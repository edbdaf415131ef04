"""Says in a sentence why a submission could not be graded, where nbgrader would show a traceback."""

import logging
import sys

from sqlalchemy.exc import DBAPIError

from ..core.errors import CannotGrade
from ..judge.failures import reason as judging_reason
from ..records.database import TROUBLES

AGAIN = "Nothing is lost: mend it, then run the same command again; it takes up whoever is not graded."


class NotJudged(CannotGrade):
    """A judging process answered that it cannot judge a notebook; the text says why."""


def reason(problem: BaseException) -> str:
    """What happened and what to do, in a sentence or two; empty for what is none of the machine's troubles."""
    if isinstance(problem, DBAPIError):
        said = str(problem.orig)
        known = next((words for sign, words in TROUBLES.items() if sign in said), "")
        return f"{known} ({said})." if known else ""
    return judging_reason(problem)


def unforeseen(problem: BaseException) -> str:
    """What to do about a submission that failed in a way that nobody foresaw."""
    return (
        f"{type(problem).__name__}: {problem}. Look at what the folder of this submission holds, or leave it for now: "
        "nobody else is affected."
    )


def explain(problem: BaseException) -> str:
    """The reason as a report of its own; empty where there is none."""
    return _report(reason(problem))


def unexplained(problem: BaseException) -> str:
    """What to do about what nobody foresaw, as a report of its own."""
    return _report(unforeseen(problem))


def _report(why: str) -> str:
    return f"Not graded: {why} {AGAIN}" if why else ""


def stopped(problem: KeyboardInterrupt, student: str) -> str:
    """Return who ended the run, and what to do.

    Args:
        problem: What ended it.
        student: Who was being graded; "" for nobody yet.
    """
    moment = f"while grading {student}" if student else "before anybody was graded"
    return f"Stopped by {str(problem) or 'Ctrl-C'} {moment}; nothing is lost: run the same command again."


class FriendlyErrors(logging.Filter):
    """Puts the sentence in the place of nbgrader's traceback; one that nothing explains stays.

    Leaves the reason in the record, as ``reason``, for who reports in another way.
    """

    def __init__(self) -> None:
        super().__init__()
        self._shown = False  # whether a traceback stayed

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the record, and drop advice of nbgrader's that would lead astray."""
        problem = sys.exc_info()[1]
        sentence = explain(problem) if problem is not None else ""
        said = str(record.msg)
        if "Traceback (most recent call last)" in said:
            if problem is not None:
                record.reason = reason(problem) or unforeseen(problem)
                record.msg, record.args = sentence or said + unexplained(problem), ()
            self._shown = self._shown or not sentence
        if "see the the above traceback" in said:
            return self._shown
        return not (sentence and "nbgrader db upgrade" in said) and said != "Canceled"


FRIENDLY_ERRORS = FriendlyErrors()
