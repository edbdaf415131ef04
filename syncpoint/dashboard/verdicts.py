"""The dashboard's queries about verdicts: tests, misconceptions, incidents, suspicious acts and costs.

As in :mod:`.read`, each query is one SQL statement.  Submissions that nbgrader no longer has are left out.
"""

from typing import Any

import pandas as pd
from nbgrader.api import Assignment, SubmittedAssignment
from sqlalchemy import Engine, case, exists, func, select

from ..core.results import LEAST, LEAST_FOR_VALUE
from ..records.tables import ActRecord, IncidentRecord, NotebookRecord, OutcomeRecord, VerdictRecord
from .read import excuses, frame


def tests(engine: Engine, assignment: str) -> pd.DataFrame:
    """Return one row for each test: exercise, test, title, tried, failed, lost (points of all students together).

    If no test could run, the row has no test name and its title says so.
    """
    # As in syncpoint.core.results.shares.  The half for the core tests is lost by the core tests that failed, and what
    # the least cost of a failure adds by all that failed.
    weights = _of_the_exercise(OutcomeRecord.weight)
    core = _of_the_exercise(case((OutcomeRecord.core, 1), else_=0))
    core_failed = _of_the_exercise(case((OutcomeRecord.core & ~OutcomeRecord.passed, 1), else_=0))
    by_weight = OutcomeRecord.weight / func.nullif(weights, 0)
    core_share = case((OutcomeRecord.core, 1.0 / func.nullif(core_failed, 0)), else_=0.0)
    share = case((core > 0, (by_weight + core_share) / 2), else_=by_weight)
    share = case((OutcomeRecord.passed, 0.0), else_=share)
    least = case((OutcomeRecord.value, LEAST_FOR_VALUE), else_=LEAST)
    by_rule = _of_those_who_count(
        assignment,
        select(
            VerdictRecord.id.label("verdict"),
            VerdictRecord.exercise,
            VerdictRecord.max_points,
            OutcomeRecord.name.label("test"),
            OutcomeRecord.title,
            case((OutcomeRecord.passed, 0), else_=1).label("failed"),
            share.label("share"),
            case((share > 0, least), else_=0.0).label("least"),
        )
        .join(VerdictRecord, VerdictRecord.id == OutcomeRecord.verdict_id)
        .join(NotebookRecord, NotebookRecord.id == VerdictRecord.notebook_id),
    ).subquery()
    lost = func.sum(by_rule.c.share).over(partition_by=by_rule.c.verdict)
    most = func.max(by_rule.c.least).over(partition_by=by_rule.c.verdict)
    more = case((lost < most, most / func.nullif(lost, 0)), else_=1.0)
    each = select(by_rule, (by_rule.c.max_points * by_rule.c.share * more).label("lost")).subquery()
    tried = select(
        each.c.exercise,
        each.c.test,
        func.max(each.c.title).label("title"),
        func.count().label("tried"),
        func.sum(each.c.failed).label("failed"),
        func.sum(each.c.lost).label("lost"),
    ).group_by(each.c.exercise, each.c.test)
    untried = _of_those_who_count(
        assignment,
        select(
            VerdictRecord.exercise, func.count().label("tried"), func.sum(VerdictRecord.max_points).label("lost")
        ).join(NotebookRecord, NotebookRecord.id == VerdictRecord.notebook_id),
    ).where(~exists().where(OutcomeRecord.verdict_id == VerdictRecord.id))
    nothing = frame(engine, untried.group_by(VerdictRecord.exercise))
    nothing = nothing.assign(test="", title="(no test could run)", failed=nothing.tried)
    found = pd.concat([frame(engine, tried), nothing[nothing.tried > 0]], ignore_index=True)
    return found.astype({"tried": int, "failed": int, "lost": float})


def _of_the_exercise(value: Any) -> Any:
    """Sum over all tests of the same exercise and student."""
    return func.sum(value).over(partition_by=OutcomeRecord.verdict_id)


def misconceptions(engine: Engine, assignment: str) -> pd.DataFrame:
    """Return a class's misconceptions, most frequent first: slug, exercises (one string), students (their number)."""
    pairs = _of_those_who_count(
        assignment,
        select(OutcomeRecord.misconception.label("slug"), VerdictRecord.exercise, NotebookRecord.student)
        .distinct()
        .join(VerdictRecord, VerdictRecord.id == OutcomeRecord.verdict_id)
        .join(NotebookRecord, NotebookRecord.id == VerdictRecord.notebook_id),
    ).where(~OutcomeRecord.passed, OutcomeRecord.misconception != "")
    found = frame(engine, pairs)
    ranked = found.groupby("slug").agg(
        exercises=("exercise", lambda names: ", ".join(sorted(set(names)))), students=("student", "nunique")
    )
    return ranked.reset_index().sort_values(["students", "slug"], ascending=[False, True], ignore_index=True)


def counted(engine: Engine, assignment: str) -> int:
    """Return the number of graded students, without those who are excused."""
    found = frame(engine, _of_those_who_count(assignment, select(NotebookRecord.student).distinct()))
    return len(found)


def incidents(engine: Engine, assignment: str) -> pd.DataFrame:
    """Return what interrupted or disturbed notebooks: student, notebook, kind, message, graded_at (UTC)."""
    return _messages(engine, assignment, IncidentRecord)


def acts(engine: Engine, assignment: str) -> pd.DataFrame:
    """Return suspicious acts: student, notebook, kind, message, graded_at (UTC)."""
    return _messages(engine, assignment, ActRecord)


def _messages(engine: Engine, assignment: str, table: Any) -> pd.DataFrame:
    found = frame(
        engine,
        _of(
            assignment,
            select(
                NotebookRecord.student, NotebookRecord.notebook, table.kind, table.message, NotebookRecord.graded_at
            ).join(NotebookRecord, NotebookRecord.id == table.notebook_id),
        ).order_by(NotebookRecord.graded_at.desc(), table.id),
    )
    found["message"] = found["message"].map(str)
    # By the minute, as shown: within a minute the exact times would follow the order of the ids.
    minute = pd.to_datetime(found.graded_at).dt.floor("min")
    return found.loc[minute.sort_values(ascending=False, kind="stable").index].reset_index(drop=True)


def costs(engine: Engine, assignment: str) -> pd.DataFrame:
    """Return what each submission cost: student, seconds (wall-clock time), peak_mib (of its largest notebook)."""
    return frame(
        engine,
        _of(
            assignment,
            select(
                NotebookRecord.student,
                func.sum(NotebookRecord.total).label("seconds"),
                func.max(NotebookRecord.peak_mib).label("peak_mib"),
            ),
        ).group_by(NotebookRecord.student),
    ).astype({"seconds": float, "peak_mib": float})


def _of_those_who_count(assignment: str, statement: Any) -> Any:
    """Leave out excused students, who do not count in class figures."""
    return _of(assignment, statement).where(~exists().where(excuses(NotebookRecord.student)))


def _of(assignment: str, statement: Any) -> Any:
    """Keep the rows of one assignment whose submissions nbgrader still has."""
    return (
        statement.join(Assignment, Assignment.name == NotebookRecord.assignment)
        .join(
            SubmittedAssignment,
            (SubmittedAssignment.assignment_id == Assignment.id)
            & (SubmittedAssignment.student_id == NotebookRecord.student),
        )
        .where(Assignment.name == assignment)
    )
