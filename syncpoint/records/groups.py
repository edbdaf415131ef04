"""The students' groups from the roster."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from .tables import GroupRecord


def groups(session: Session) -> dict[str, str]:
    """Return the group of each student who is in one, by id."""
    return {row.student: row.name for row in session.execute(select(GroupRecord.student, GroupRecord.name))}


def set_group(session: Session, student: str, name: str) -> None:
    """Put a student into a group, which is their only one; "" takes them out of it."""
    if name:
        session.merge(GroupRecord(student=student, name=name))
    elif (record := session.get(GroupRecord, student)) is not None:
        session.delete(record)
