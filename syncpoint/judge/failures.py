"""Says in a sentence why a submission could not be graded, where nbgrader would show a traceback."""

import errno
import logging
import sys

from sqlalchemy.exc import DBAPIError

from ..sandbox.world import SandboxUnavailable
from .belongings import Unwalkable
from .judging_process import JudgeDied
from .kernel import KernelGone
from .paper import EngineDiffers
from .timestamps import LinkedFolder, OddName

AGAIN = "Nothing is lost: mend it, then run the same command again; it takes up whoever is not graded."
# What SQLite and PostgreSQL say, as far as it helps to know what to do.
DATABASE = {
    "database is locked": "another program kept the gradebook for itself; wait until it is done or end it",
    "disk is full": "there is no room left on the disk of the gradebook",
    "disk I/O error": "the disk of the gradebook fails or is full",
    "readonly database": "the gradebook cannot be written; give its file and its folder to the user who grades",
    "unable to open database file": "the gradebook cannot be opened; look at the rights of its file and its folder",
    "malformed": "the gradebook is damaged; restore it from a backup",
    "connection": "the gradebook's server does not answer",
}
FILES = {
    errno.ENOSPC: "there is no room left on the disk",
    errno.EDQUOT: "this user's share of the disk is used up",
    errno.EFBIG: "the system does not let a file become so large",
    errno.EACCES: "this user may not read or write there",
    errno.EPERM: "this user may not read or write there",
    errno.EROFS: "the file system is read only",
    errno.EIO: "the disk fails",
    errno.EISDIR: "a folder stands where a file should be",
    errno.ENOTDIR: "a file stands where a folder should be",
    errno.EMFILE: "too many files are open",
    errno.ENAMETOOLONG: "a name is too long",
}


class NotJudged(Exception):
    """A judging process answered that it cannot judge a notebook; the text says why."""


FORESEEN = (SandboxUnavailable, EngineDiffers, OddName, LinkedFolder, Unwalkable, NotJudged, JudgeDied)


def explain(problem: BaseException) -> str:
    """What happened and what to do, in a sentence or two; empty for what is none of the machine's troubles."""
    if isinstance(problem, KernelGone):
        return f"Not graded: {problem}, before any line of the student's could run. {AGAIN}"
    if isinstance(problem, FORESEEN):
        return f"Not graded: {problem} {AGAIN}"
    if isinstance(problem, DBAPIError):
        said = str(problem.orig)
        reason = next((words for sign, words in DATABASE.items() if sign in said), "")
        return f"Not graded: {reason} ({said}). {AGAIN}" if reason else ""
    if isinstance(problem, UnicodeEncodeError):
        return f"Not graded: a name in {problem.object!r} holds bytes that are no text. Rename it. {AGAIN}"
    if isinstance(problem, OSError) and problem.errno in FILES:
        return f"Not graded: {FILES[problem.errno]} ({problem.filename or problem}). {AGAIN}"
    return ""


def unexplained(problem: BaseException) -> str:
    """What to do about a submission that failed in a way that nobody foresaw."""
    return (
        f"Not graded: {type(problem).__name__}: {problem}. Look at what the folder of this submission holds, or leave "
        f"it for now: nobody else is affected. {AGAIN}"
    )


def bare(sentence: str) -> str:
    """What happened, without the words around it, where they are said elsewhere."""
    return sentence.removeprefix("Not graded: ").removesuffix(AGAIN).strip()


def stopped(problem: KeyboardInterrupt, student: str) -> str:
    """Who ended the run, and what to do.  student: who was being graded; "" for nobody yet."""
    moment = f"while grading {student}" if student else "before anybody was graded"
    return f"Stopped by {str(problem) or 'Ctrl-C'} {moment}; nothing is lost: run the same command again."


class Plainly(logging.Filter):
    """Puts the sentence in the place of nbgrader's traceback; one that nothing explains stays."""

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
                record.msg, record.args = sentence or said + unexplained(problem), ()
            self._shown = self._shown or not sentence
        if "see the the above traceback" in said:
            return self._shown
        return not (sentence and "nbgrader db upgrade" in said) and said != "Canceled"


PLAINLY = Plainly()
