"""Stores students' graded answers, so that a person's mark stays while the answer stays the same.

After each grading, nbgrader asks people to give all their marks again.  Here each answer is stored as it was graded
last.  If a person has marked it, their mark belongs to that text, and the answer counts as read until another text is
graded.  It does not matter where they marked it: in formgrader, in the dashboard, or in another program.
"""

import hashlib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Grade
from sqlalchemy import Connection, Row, select
from sqlalchemy.orm import Session

from ..core.strip import show_control, strip_control
from .tables import AnswerRecord, TryRecord
from .tries import Parts

MAX_STORED_CHARACTERS = 100_000  # maximum number of characters of an answer that are stored
CUT = "\n\n(The answer is longer: it has {0:,} characters.)"
AnswerRecords = dict[tuple[str, str, str], AnswerRecord]  # by student, notebook and cell
NOT_KNOWN = ""  # the digest of an answer that was not stored


@dataclass(frozen=True)
class AnswerText:
    """A student's answer in one cell with points."""

    text: str  # as people read it, shortened if it is very long
    digest: str  # of the whole text. Line ends and spaces before them make no difference.

    @classmethod
    def of(cls, cells: Iterable[NotebookNode]) -> "AnswerText":
        """Join the texts of cells, with a line for each picture that is attached to one."""
        lines: list[str] = []
        for cell in cells:
            lines += [line.rstrip() for line in unicodedata.normalize("NFC", cell.source).splitlines()]
            for name, data in sorted(cell.get("attachments", {}).items()):
                lines.append(f"(attached: {name}, {_digest(repr(sorted(data.items())))[:12]})")
            lines.append("")
        whole = "\n".join(lines).strip("\n")
        shown = strip_control(show_control(whole[:MAX_STORED_CHARACTERS]))
        return cls(shown + (CUT.format(len(whole)) if len(whole) > MAX_STORED_CHARACTERS else ""), _digest(whole))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def answers_of(notebook: NotebookNode) -> dict[str, AnswerText]:
    """Return a student's answers in all cells with points, by cell id. A written answer is its cell.

    What hidden tests grade is in the cells above them that students can write into: those below the tests before, or,
    where two cells of tests follow one solution, those of that solution.
    """
    found: dict[str, AnswerText] = {}
    solution: list[NotebookNode] = []
    since: list[NotebookNode] = []  # the tests since the previous answer
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("grade"):
            if not marks.get("solution"):
                own = any(one.metadata.get("nbgrader", {}).get("solution") for one in since)
                solution = since if own else [*solution, *since]
                since = []
            found[marks["grade_id"]] = AnswerText.of([cell] if marks.get("solution") else solution)
        elif cell.cell_type == "code" and not marks.get("locked"):
            since.append(cell)
    return found


def answer_records(session: Session, assignment: str, students: Sequence[str]) -> AnswerRecords:
    """Return the stored answers of these students, by student, notebook and cell."""
    records = AnswerRecord.assignment == assignment, AnswerRecord.student.in_(students)
    return {(row.student, row.notebook, row.cell): row for row in session.scalars(select(AnswerRecord).where(*records))}


def text_of(session: Session | Connection, where: tuple[str, str, str, str], stored: str | None) -> str | None:
    """Return the text of an answer, as it was graded last; ``where``: student, assignment, notebook, cell.

    ``stored`` is its record's text.  What the judge marks is only in the try that counts.
    """
    student, assignment, notebook, cell = where
    if stored is not None:
        return stored
    theirs = TryRecord.student == student, TryRecord.assignment == assignment, TryRecord.counts
    exercises: Parts = session.scalar(select(TryRecord.exercises).where(*theirs)) or {}
    return exercises[f"{notebook}/{cell}"][2] if f"{notebook}/{cell}" in exercises else None


def is_marked(grade: Grade | Row[Any]) -> bool:
    """Whether a person gave points: a score (even 0), or extra credit."""
    return grade.manual_score is not None or bool(grade.extra_credit)


def store_answer(
    session: Session,
    records: AnswerRecords,
    where: tuple[str, str, str, str],
    now: AnswerText,
    *,
    grade: Grade | Row[Any] | None,
    auto_score: float | None,
    refused: bool,
) -> bool:
    """Store an answer as it is graded now; return whether a person must read it, nbgrader's ``needs_manual_grade``.

    nbgrader asks for every mark again; here a mark stays as long as the answer is the same.  ``records`` are those of
    :func:`answer_records`, and get a new one; ``where`` is student, assignment, notebook and cell; ``grade`` is from
    before this grading; ``auto_score`` is the judge's, None if a person gives points; a ``refused`` notebook cannot be
    run, or was not submitted.
    """
    student, assignment, notebook, cell = where
    record = records.get((student, notebook, cell))
    if record is None:
        record = records[student, notebook, cell] = AnswerRecord(
            student=student, assignment=assignment, notebook=notebook, cell=cell, text="", digest=NOT_KNOWN
        )
        session.add(record)
    marked = grade is not None and is_marked(grade)
    # nbgrader marks everything in a notebook that was not submitted as read.
    read = record.marked_digest is None if refused else grade is not None and not grade.needs_manual_grade
    # The mark belongs to the previous answer or, if nobody has read that one, to an older one.
    older = AnswerText(record.marked_text or "", record.marked_digest or NOT_KNOWN)
    same = now.digest == (record.digest if read else older.digest)
    if same or not marked:
        record.marked_text, record.marked_digest = None, None
    elif read:
        record.marked_text, record.marked_digest = text_of(session, where, record.text) or "", record.digest
    else:
        record.marked_text, record.marked_digest = older.text, older.digest
    record.text, record.digest = now.text if auto_score is None else None, now.digest
    manual = grade is not None and grade.manual_score is not None
    return (marked and not same) or not (manual or auto_score is not None)
