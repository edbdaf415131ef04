"""The students' languages from the roster."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from .tables import LanguageRecord


def languages(session: Session) -> dict[str, str]:
    """Return the language of each student who has one, by id."""
    return {
        row.student: row.language for row in session.execute(select(LanguageRecord.student, LanguageRecord.language))
    }


def set_language(session: Session, student: str, language: str) -> None:
    """Give a student a language; an earlier one is replaced."""
    session.merge(LanguageRecord(student=student, language=language))
