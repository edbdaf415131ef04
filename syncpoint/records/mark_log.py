"""The log of marks: who changed which mark, when, and why."""

import os
import pwd
from collections.abc import Iterator
from contextlib import contextmanager

from nbgrader.api import Gradebook
from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from .database import locked
from .tables import ActorRecord, MarkChange, utc_now
from .triggers import install, installed

GRADING = "grading"
UNKNOWN_ACTOR = "another program"  # the actor if none is set: usually formgrader


def unix_user() -> str:
    """Return the user who runs this program, from the system and not from an environment variable."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a container may have no name for the user
        return f"user {os.getuid()}"


@contextmanager
def acting(session: Session, how: str, why: str = "", who: str = "") -> Iterator[None]:
    """Set who changes marks in this block, by which command or page, and why.

    ``who`` is a dashboard's account, else the Unix user counts.
    """
    connection = session.connection()
    session.flush()
    connection.execute(insert(ActorRecord).values(id=1, who=who or unix_user(), how=how, why=why))
    yield
    session.flush()
    connection.execute(delete(ActorRecord))


def log_decision(session: Session, how: str, student: str, assignment: str, mark: str, why: str = "") -> None:
    """Log a decision that changes no row of nbgrader, such as an excuse, which no trigger sees."""
    names = {"student": student, "assignment": assignment, "notebook": "", "exercise": ""}
    session.add(MarkChange(at=utc_now(), who=unix_user(), how=how, why=why, mark=mark, **names))


def read_log(gradebook: Gradebook, assignment: str = "", student: str = "") -> list[MarkChange]:
    """Return changes of marks, oldest first, for one assignment, one student, or both."""
    wanted = {name: value for name, value in (("assignment", assignment), ("student", student)) if value}
    return list(gradebook.db.scalars(select(MarkChange).filter_by(**wanted).order_by(MarkChange.id)))


def repair_log(gradebook: Gradebook) -> bool:
    """Create the triggers again if some are missing; return whether some were."""
    with gradebook.engine.connect() as connection:
        if installed(connection):
            return False
    with locked(gradebook.engine) as connection:
        install(connection)
    return True
