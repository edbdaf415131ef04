"""What the roster says about students and nbgrader cannot store: other ids, groups and languages."""

from collections import defaultdict

from sqlalchemy import select
from sqlalchemy.orm import Session

from .tables import GroupRecord, LanguageRecord, StudentIdRecord


def student_ids(session: Session) -> dict[str, dict[str, str]]:
    """The ids of each student who has any, by student and kind."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for row in session.execute(select(StudentIdRecord.student, StudentIdRecord.kind, StudentIdRecord.value)):
        found[row.student][row.kind] = row.value
    return dict(found)


def set_student_id(session: Session, student: str, kind: str, value: str) -> None:
    """Give a student an id; an earlier one of this kind is replaced."""
    session.merge(StudentIdRecord(student=student, kind=kind, value=value))


def groups(session: Session) -> dict[str, str]:
    """Return the group of each student who is in one, by id."""
    return dict(session.execute(select(GroupRecord.student, GroupRecord.name)).all())


def set_group(session: Session, student: str, name: str) -> None:
    """Put a student into a group, which is their only one; "" takes them out of it."""
    if name:
        session.merge(GroupRecord(student=student, name=name))
    elif (record := session.get(GroupRecord, student)) is not None:
        session.delete(record)


def languages(session: Session) -> dict[str, str]:
    """Return the language of each student who has one, by id."""
    return dict(session.execute(select(LanguageRecord.student, LanguageRecord.language)).all())


def set_language(session: Session, student: str, language: str) -> None:
    """Give a student a language; an earlier one is replaced."""
    session.merge(LanguageRecord(student=student, language=language))
