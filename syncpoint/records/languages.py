"""The languages of students: what the roster says of them."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from .tables import LanguageRecord


def languages(session: Session) -> dict[str, str]:
    """The language of each student who has one, by their id."""
    return {
        row.student: row.language for row in session.execute(select(LanguageRecord.student, LanguageRecord.language))
    }


def set_language(session: Session, student: str, language: str) -> None:
    """Give a student a language; an earlier one is replaced."""
    session.merge(LanguageRecord(student=student, language=language))
