"""Explains in a sentence why a submission could not be graded, instead of nbgrader's traceback."""

from sqlalchemy.exc import DBAPIError

from ..judge.failures import reason as judging_reason
from ..records.database import TROUBLES

AGAIN = "Nothing is lost: fix the problem and run the same command again. It retries everybody who is not graded."


def reason(problem: BaseException) -> str:
    """Return what happened and what to do; empty if it is not a problem of the machine."""
    if isinstance(problem, DBAPIError):
        cause = str(problem.orig)
        known = next((words for sign, words in TROUBLES.items() if sign in cause), "")
        return f"{known} ({cause})." if known else ""
    return judging_reason(problem)


def unforeseen(problem: BaseException) -> str:
    """Return what to do about a submission that failed unexpectedly."""
    return (
        f"{type(problem).__name__}: {problem}. Check the contents of this submission's folder, or leave it for now: "
        "nobody else is affected."
    )


def explain(problem: BaseException) -> str:
    """Return the reason as a separate report; empty if there is none."""
    why = reason(problem)
    return f"Not graded: {why} {AGAIN}" if why else ""


def stopped(problem: KeyboardInterrupt, student: str) -> str:
    """Return who ended the run and what to do; ``student``: who was graded last, or ""."""
    moment = f"after grading {student}" if student else "before anybody was graded"
    return f"Stopped by {str(problem) or 'Ctrl-C'} {moment}; nothing is lost: run the same command again."
