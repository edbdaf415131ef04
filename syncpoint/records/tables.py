"""The tables. They use names of students, assignments and notebooks, and no key of nbgrader's tables.

What a result says is a field of core/results.py first; a column of the same name here keeps it, and a migration adds
that to the gradebooks that there are.  Rows of a submission that was removed from the gradebook are read by nobody, and
go with the next grading.
"""

import json
import zlib
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    Dialect,
    ForeignKey,
    LargeBinary,
    MetaData,
    Text,
    TypeDecorator,
    UniqueConstraint,
    select,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, column_property, mapped_column, relationship

from ..core.messages import Message, from_data, to_data, words

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}


def utc_now() -> datetime:
    """UTC without a time zone, as the gradebook stores times."""
    return datetime.now(UTC).replace(tzinfo=None)


class Base(DeclarativeBase):
    """Our tables; their names start with ``syncpoint_``."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {str: Text, datetime: DateTime}


class MessageText(TypeDecorator[Message]):
    """A message as JSON, so that it can be shown in any language; "" for none, and plain text is read as it is."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Message | None, dialect: Dialect) -> str:
        return json.dumps(to_data(value)) if value is not None else ""

    def process_result_value(self, value: str | None, dialect: Dialect) -> Message | None:
        try:
            data = json.loads(value or "")
            if isinstance(data, dict):
                return from_data(data)
        except (ValueError, LookupError):
            pass  # plain text that looks like JSON
        return words(value) if value else None


class PackedJSON(TypeDecorator[dict[str, Any]]):
    """Data with long texts, as compressed JSON."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: dict[str, Any] | None, dialect: Dialect) -> bytes:
        return zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 9)

    def process_result_value(self, value: Any, dialect: Dialect) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(zlib.decompress(value))
        return data


class NotebookRecord(Base):
    """One notebook of one submission as it was graded last.

    Seconds and MiB as in :class:`syncpoint.core.results.Cost`; None if nothing was run.
    """

    __tablename__ = "syncpoint_notebooks"
    __table_args__ = (UniqueConstraint("student", "assignment", "notebook"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    student: Mapped[str]
    assignment: Mapped[str] = mapped_column(index=True)
    notebook: Mapped[str]
    graded_at: Mapped[datetime] = mapped_column(default=utc_now, index=True)  # UTC
    engine: Mapped[str]  # the engine's name and version
    graders: Mapped[str]  # a digest of the tests and scenarios
    kernel_start: Mapped[float | None]
    kernel_busy: Mapped[float | None]
    kernel_stop: Mapped[float | None]
    total: Mapped[float | None]
    peak_mib: Mapped[float | None]
    # the key of this result, see :func:`syncpoint.judge.job.key`; None if nothing was run
    result_key: Mapped[str | None] = mapped_column("result", Text)

    verdicts: Mapped[list["VerdictRecord"]] = relationship(order_by="VerdictRecord.id")
    incidents: Mapped[list["IncidentRecord"]] = relationship(order_by="IncidentRecord.id")
    acts: Mapped[list["ActRecord"]] = relationship(order_by="ActRecord.id")


def _of_notebook() -> Mapped[int]:
    return mapped_column(ForeignKey("syncpoint_notebooks.id"), index=True)


class IncidentRecord(Base):
    """Something that interrupted or disturbed a notebook, see :class:`syncpoint.core.results.Incident`."""

    __tablename__ = "syncpoint_incidents"

    id: Mapped[int] = mapped_column(primary_key=True)
    notebook_id: Mapped[int] = _of_notebook()
    kind: Mapped[str]
    message: Mapped[Message] = mapped_column(MessageText)


class ActRecord(Base):
    """A suspicious act, see :class:`syncpoint.core.results.SuspiciousAct`."""

    __tablename__ = "syncpoint_acts"

    id: Mapped[int] = mapped_column(primary_key=True)
    notebook_id: Mapped[int] = _of_notebook()
    kind: Mapped[str]
    message: Mapped[Message] = mapped_column(MessageText)


class VerdictRecord(Base):
    """One exercise, see :class:`syncpoint.core.results.ExerciseResult`."""

    __tablename__ = "syncpoint_verdicts"

    id: Mapped[int] = mapped_column(primary_key=True)
    notebook_id: Mapped[int] = _of_notebook()
    exercise: Mapped[str] = mapped_column(index=True)  # the id of its grade cell
    points: Mapped[float]
    max_points: Mapped[float]
    notes: Mapped[list[Any]] = mapped_column(JSON, default=list)

    outcomes: Mapped[list["OutcomeRecord"]] = relationship(order_by="OutcomeRecord.id")


class TitleRecord(Base):
    """The title of a test, once for all submissions."""

    __tablename__ = "syncpoint_titles"

    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str]


class OutcomeRecord(Base):
    """One test, see :class:`syncpoint.core.results.TestResult`.

    Texts for people are written here in words at each grading, as in the notebook.
    """

    __tablename__ = "syncpoint_outcomes"

    id: Mapped[int] = mapped_column(primary_key=True)
    verdict_id: Mapped[int] = mapped_column(ForeignKey("syncpoint_verdicts.id"), index=True)
    name: Mapped[str]
    title_id: Mapped[int] = mapped_column(ForeignKey("syncpoint_titles.id"))
    title: Mapped[str] = column_property(
        select(TitleRecord.text).where(TitleRecord.id == title_id).correlate_except(TitleRecord).scalar_subquery()
    )
    hint: Mapped[str]
    weight: Mapped[float]
    core: Mapped[bool]
    value: Mapped[bool]
    passed: Mapped[bool]  # whether that is its status
    status: Mapped[str]
    # what the student reads next to the hint
    message: Mapped[Message | None] = mapped_column(MessageText, nullable=False)
    detail: Mapped[str]
    misconception: Mapped[str]
    seconds: Mapped[float]


class TryRecord(Base):
    """One submission of a student, as it was judged last; its files are in ``.syncpoint/tries/``, see :mod:`.tries`."""

    __tablename__ = "syncpoint_tries"
    __table_args__ = (UniqueConstraint("student", "assignment", "digest"),)

    id: Mapped[int] = mapped_column(primary_key=True)  # in the order in which they were first judged
    student: Mapped[str] = mapped_column(index=True)
    assignment: Mapped[str] = mapped_column(index=True)
    digest: Mapped[str]  # of the submitted files
    submitted_at: Mapped[datetime | None]  # UTC; None if it is not known
    graded_at: Mapped[datetime]  # UTC
    submitter: Mapped[str]  # the group member who submitted it; "" for the student's own work
    points: Mapped[float]  # the judge's, without penalty
    max_points: Mapped[float]  # of the cells that the judge grades
    counts: Mapped[bool]  # whether the gradebook's marks are for this try
    chosen: Mapped[bool]  # whether a person chose it
    results: Mapped[dict[str, Any]] = mapped_column(JSON)  # notebook -> the key of its result, or None
    # notebook/cell -> the judge's points or None, the maximum, and the student's text
    exercises: Mapped[dict[str, Any]] = mapped_column(PackedJSON)


class AnswerRecord(Base):
    """A student's answer in a cell with points, as it was last graded, see :mod:`.graded_answers`."""

    __tablename__ = "syncpoint_answers"

    student: Mapped[str] = mapped_column(primary_key=True)
    assignment: Mapped[str] = mapped_column(primary_key=True)
    notebook: Mapped[str] = mapped_column(primary_key=True)
    cell: Mapped[str] = mapped_column(primary_key=True)  # its id
    text: Mapped[str | None]  # as people read it; None for what the judge marks: the try that counts has it
    digest: Mapped[str]  # of the whole text
    # the text that the current mark was given for, if different; None if it is the same, or if there is no mark
    marked_text: Mapped[str | None]
    marked_digest: Mapped[str | None]  # of that text; "" if unknown


class TimeFactorRecord(Base):
    """A student's time factor for every assignment: 1.5 means half as much time again."""

    __tablename__ = "syncpoint_time_factors"

    student: Mapped[str] = mapped_column(primary_key=True)
    factor: Mapped[float]


class ExtensionRecord(Base):
    """The extension behind nbgrader's own, for a student who may not have submitted yet."""

    __tablename__ = "syncpoint_extensions"

    student: Mapped[str] = mapped_column(primary_key=True)
    assignment: Mapped[str] = mapped_column(primary_key=True)
    given: Mapped[float]  # extra hours that a person gave for this assignment
    # hours that were written for nbgrader, 0 before there is a submission; if nbgrader has other hours, a person has
    # changed them since
    written: Mapped[float]


class LanguageRecord(Base):
    """The language of a student, as the roster says it: "pt_BR"."""

    __tablename__ = "syncpoint_languages"

    student: Mapped[str] = mapped_column(primary_key=True)
    language: Mapped[str]


class GroupRecord(Base):
    """The group of a student, as the roster says it."""

    __tablename__ = "syncpoint_groups"

    student: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]


class VariantRecord(Base):
    """The values of an assignment that a student has, see :mod:`syncpoint.core.variants`."""

    __tablename__ = "syncpoint_variants"

    student: Mapped[str] = mapped_column(primary_key=True)
    assignment: Mapped[str] = mapped_column(primary_key=True, index=True)
    variant: Mapped[str]


class StudentIdRecord(Base):
    """An id of a student that nbgrader has no place for."""

    __tablename__ = "syncpoint_student_ids"

    student: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)  # whose id it is: "school_id", "login" or "github"
    value: Mapped[str]


class ExcuseRecord(Base):
    """An assignment that does not count for a student."""

    __tablename__ = "syncpoint_excuses"

    student: Mapped[str] = mapped_column(primary_key=True)
    assignment: Mapped[str] = mapped_column(primary_key=True)
    reason: Mapped[str]  # what a person wrote


class MarkChange(Base):
    """One change of a mark.  Triggers of the database write it, whichever program changed the mark."""

    __tablename__ = "syncpoint_mark_changes"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]  # UTC
    who: Mapped[str]  # a dashboard's account or a Unix user; if a program set none, PostgreSQL's user or ""
    how: Mapped[str]  # the command or page; "" for other programs, such as formgrader
    why: Mapped[str]
    student: Mapped[str] = mapped_column(index=True)
    assignment: Mapped[str] = mapped_column(index=True)
    notebook: Mapped[str]
    exercise: Mapped[str]  # the id of its cell; "" for a whole notebook
    mark: Mapped[str]  # auto score, manual score, extra credit or late penalty
    before: Mapped[float | None]  # points; None for none
    after: Mapped[float | None]


class ActorRecord(Base):
    """The person who changes marks in the current transaction; hidden from others, empty outside one."""

    __tablename__ = "syncpoint_actor"

    id: Mapped[int] = mapped_column(primary_key=True)
    who: Mapped[str]
    how: Mapped[str]
    why: Mapped[str]


class RegradeRequest(Base):
    """A student's question about one exercise, and its answer."""

    __tablename__ = "syncpoint_regrade_requests"

    id: Mapped[int] = mapped_column(primary_key=True)
    asked_at: Mapped[datetime]  # UTC
    student: Mapped[str] = mapped_column(index=True)
    assignment: Mapped[str] = mapped_column(index=True)
    exercise: Mapped[str]  # the id of its cell
    question: Mapped[str]
    answered_at: Mapped[datetime | None]  # UTC; None as long as it is open
    answered_by: Mapped[str | None]  # a dashboard's account, or a Unix user
    answer: Mapped[str | None]


class VivaQuestion(Base):
    """A question about a student's own code, with the measured answer and the student's first prediction."""

    __tablename__ = "syncpoint_viva_questions"

    student: Mapped[str] = mapped_column(primary_key=True)
    assignment: Mapped[str] = mapped_column(primary_key=True, index=True)
    number: Mapped[int] = mapped_column(primary_key=True)  # from 1
    exercise: Mapped[str]  # its name; "" for the whole assignment
    language: Mapped[str]  # of the texts, such as "pt_BR"
    question: Mapped[str]  # as HTML
    answer: Mapped[str]  # hidden from students until they predict
    kind: Mapped[str]  # the right prediction, see :data:`syncpoint.check.viva.CHOICES`
    worth: Mapped[float]  # points for it
    asked_at: Mapped[datetime]  # UTC
    prediction: Mapped[str | None]
    why: Mapped[str | None]
    predicted_at: Mapped[datetime | None] = mapped_column(index=True)  # UTC; None as long as it is open


class QueueEntry(Base):
    """A submission between the exchange and its feedback."""

    __tablename__ = "syncpoint_hand_ins"
    __table_args__ = (UniqueConstraint("student", "assignment", "work"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    student: Mapped[str] = mapped_column(index=True)
    assignment: Mapped[str]
    work: Mapped[str]  # the text of its time stamp, which distinguishes it from the student's other work
    state: Mapped[str] = mapped_column(index=True)  # one of the states in :mod:`.queue`
    # when the exchange received it, by the clock of its disk, but not later than it was seen; UTC
    seen_at: Mapped[datetime]
    place: Mapped[int | None]  # its number in the course's queue; None while it waits for an attempt
    tried_at: Mapped[datetime | None]  # when it used an attempt; UTC
    done_at: Mapped[datetime | None]  # when the queue finished it; UTC
    # how much the student's page shows; "nothing" for graded work without a page before the due date; "" until it is
    # finished
    shown: Mapped[str] = mapped_column(default="")
    # the name, which only the student can compute, of the file with the student's progress; "" for none
    note: Mapped[str] = mapped_column(default="")


class SentMark(Base):
    """A mark that is being sent to a learning platform."""

    __tablename__ = "syncpoint_sent_marks"

    id: Mapped[int] = mapped_column(primary_key=True)
    student: Mapped[str] = mapped_column(index=True)
    assignment: Mapped[str]
    place: Mapped[str]  # the address of the platform's column
    points: Mapped[float | None]  # None: an earlier mark is withdrawn
    comment: Mapped[str]
    begun_at: Mapped[datetime]  # UTC
    taken_at: Mapped[datetime | None]  # when the platform confirmed it; None: it may have it


class OwnerRecord(Base):
    """The course folder that the gradebook belongs to, see :mod:`.owner`; one row."""

    __tablename__ = "syncpoint_owner"

    id: Mapped[int] = mapped_column(primary_key=True)
    folder: Mapped[str]
    machine: Mapped[str]  # where that path is one
    inode: Mapped[int] = mapped_column(BigInteger)  # of the folder
