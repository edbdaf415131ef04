"""The dashboard's names for students: real names or pseudonyms.

Every frame that :mod:`.queries` reads passes through here, and every student whom a view or an address names is looked
up here, so no view knows which of the two it shows.  The choice is an SQLAlchemy execution option of the engine.
"""

import re
from dataclasses import dataclass

import pandas as pd
from nbgrader.api import Student
from sqlalchemy import Engine, select

from ..core.messages import Message
from ..records.pseudonyms import find_student, pseudonym

OPTION = "syncpoint_people"
FREE_TEXTS = ["message", "why", "question", "answer"]  # columns of free text that is only shown
TAG = re.compile(r"(<[^>]*>)")
QUOTED = re.compile(r'"[^"]*"')
NOTHING = "(?!)"


class People:
    """Shows every student under their own id and name."""

    anonymous = False

    def shown(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return a frame as the views get it."""
        return frame

    def shown_as(self, student: str) -> str:
        """Return the name under which a student id is shown."""
        return student

    def student(self, shown: str) -> str | None:
        """Return the id of the student who is shown under this name, or None."""
        return shown

    def without_names(self, text: str, student: str) -> str:
        """Return one of our sentences about a student, without names if needed."""
        return text

    def page_without_names(self, page: bytes, student: str) -> bytes:
        """Return an HTML page about a student, without names if needed."""
        return page


@dataclass(frozen=True)
class Pseudonymous(People):
    """Shows every student under a pseudonym."""

    key: bytes  # the course's key, see :func:`syncpoint.records.pseudonyms.read_key`
    engine: Engine
    anonymous = True

    def shown(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Replace ids by pseudonyms, drop names, and sort by pseudonym: the order of ids could identify students."""
        if "student" not in frame:
            return frame
        columns = [name for name in FREE_TEXTS if name in frame]
        frame = frame.copy()
        if columns and not frame.empty:
            patterns = self._patterns()
            for name in columns:
                frame[name] = [
                    self._mask(str(text), student, patterns.get(student)) if isinstance(text, str | Message) else text
                    for student, text in zip(frame.student, frame[name], strict=True)
                ]
        for name in ("first_name", "last_name"):
            if name in frame:
                frame[name] = ""
        frame["student"] = frame.student.map({student: self.shown_as(student) for student in set(frame.student)})
        return frame.sort_values("student", kind="stable", ignore_index=True)

    def shown_as(self, student: str) -> str:
        """Return the student's pseudonym."""
        return pseudonym(self.key, student)

    def student(self, shown: str) -> str | None:
        """Return the id of the student in the gradebook who has this pseudonym."""
        with self.engine.connect() as connection:
            return find_student(self.key, connection.scalars(select(Student.id)), shown)

    def without_names(self, text: str, student: str) -> str:
        """Replace the student's id, name and address by the pseudonym."""
        return self._mask(text, student, self._patterns(student).get(student))

    def page_without_names(self, page: bytes, student: str) -> bytes:
        """Do the same in a page's text and quoted attributes, but not in pictures, whose encoded letters are random."""
        pattern = self._patterns(student).get(student)

        def mask(text: str) -> str:
            return self._mask(text, student, pattern)

        parts = TAG.split(page.decode("utf-8", "replace"))
        parts[::2] = map(mask, parts[::2])
        parts[1::2] = (
            tag if "data:" in tag else QUOTED.sub(lambda quoted: mask(quoted[0]), tag) for tag in parts[1::2]
        )
        return "".join(parts).encode()

    def _mask(self, text: str, student: str, pattern: re.Pattern[str] | None) -> str:
        return (pattern or _pattern(student)).sub(self.shown_as(student), text)

    def _patterns(self, *students: str) -> dict[str, re.Pattern[str]]:
        """Return a pattern of the names of each of these students, or of all students."""
        statement = select(Student.id, Student.first_name, Student.last_name, Student.email)
        if students:
            statement = statement.where(Student.id.in_(students))
        with self.engine.connect() as connection:
            rows = connection.execute(statement).all()
        return {
            student: _pattern(student, email, *_whole_names(first or "", last or ""))
            for student, first, last, email in rows
        }


def people(engine: Engine) -> People:
    """Return how students are named in frames that are read through this engine."""
    found: People = engine.get_execution_options().get(OPTION, People())
    return found


def anonymous(engine: Engine, key: bytes) -> Engine:
    """Return an engine of the same gradebook that shows every student under a pseudonym."""
    return engine.execution_options(**{OPTION: Pseudonymous(key, engine)})


def _whole_names(first: str, last: str) -> list[str]:
    """Return the full names only: a first or last name alone may be an ordinary word of the text."""
    return [f"{first} {last}", f"{last} {first}", f"{last}, {first}"] if first and last else []


def _pattern(*words: str | None) -> re.Pattern[str]:
    """Return a pattern of these words, longest first, that does not match inside other words."""
    known = sorted({word for word in words if word}, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, known)) or NOTHING})(?!\w)", re.IGNORECASE)
