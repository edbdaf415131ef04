"""The dashboard's queries about verdicts: tests, misconceptions, incidents, suspicious acts and costs.

As in :mod:`.queries`, each query is one SQL statement.  What follows from outcomes is worked out once
for all that are equal.  Submissions that nbgrader no longer has are left out.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from nbgrader.api import Assignment, SubmittedAssignment
from sqlalchemy import Engine, case, func, select

from ..core.points import LEAST, LEAST_FOR_VALUE
from ..records.tables import ActRecord, ExcuseRecord, IncidentRecord, NotebookRecord, OutcomeRecord, VerdictRecord
from .queries import excuses, frame, repeated

NOTHING_RAN = [("", "(no test could run)", False, 1.0)]
SIGNS = {True: "+", False: "-"}
TESTS = {"exercise": object, "test": object, "title": object, "tried": int, "failed": int, "lost": float}


class Outcome(NamedTuple):
    """One test of one exercise, as :func:`syncpoint.core.results.shares` reads it."""

    name: str
    title: str
    weight: float
    core: bool
    value: bool
    passed: bool


def outcomes(engine: Engine, assignment: str, students: Collection[str] | None = None) -> pd.DataFrame:
    """Return one row for each student (or each of these) and exercise.

    Columns: student, exercise, max_points, graders (the digest of its tests), verdict (its number), excused, and tests
    (a line for each test, with + or - for passed or not, its name, and its misconception after a tab).  Students with
    the same outcomes have the same lines, so derived values are computed once.
    """
    sign = case((OutcomeRecord.passed, SIGNS[True]), else_=SIGNS[False])
    line = sign + OutcomeRecord.name + "\t" + OutcomeRecord.misconception
    lines = select(func.aggregate_strings(line, "\n")).where(OutcomeRecord.verdict_id == VerdictRecord.id)
    found = frame(
        engine,
        _of(
            assignment,
            select(
                NotebookRecord.student,
                VerdictRecord.exercise,
                VerdictRecord.max_points,
                NotebookRecord.graders,
                VerdictRecord.id.label("verdict"),
                ExcuseRecord.student.isnot(None).label("excused"),
                func.coalesce(lines.scalar_subquery(), "").label("tests"),
            ).join(VerdictRecord, VerdictRecord.notebook_id == NotebookRecord.id),
            students,
        ).outerjoin(ExcuseRecord, excuses(NotebookRecord.student)),
    )
    return repeated(found, "student", "exercise", "graders", "tests")


@lru_cache(maxsize=4096)
def named(tests: str) -> dict[str, tuple[bool, str]]:
    """Return whether each test passed, and its misconception, by its name, from the lines of `outcomes`."""
    lines = (line.partition("\t") for line in tests.split("\n") if line)
    return {test[1:]: (test[0] == SIGNS[True], slug) for test, _, slug in lines}


@lru_cache(maxsize=4096)
def names_in(tests: str) -> list[str]:
    """Return the names of these tests in order, from the lines of `outcomes`."""
    return sorted(named(tests))


def tests(engine: Engine, found: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each test: exercise, test, title, tried, failed, lost (points of all students together).

    If no test could run, the row has no test name and its title says so.  ``found`` is from `outcomes`.
    """
    counts = np.flatnonzero(~found.excused.to_numpy(dtype=bool))
    kind = np.zeros(len(counts), dtype=int)
    for name in ("exercise", "graders", "tests"):
        codes, values = pd.factorize(found[name])
        kind = kind * len(values) + codes[counts]
    numbers, most = np.bincount(kind), np.bincount(kind, found.max_points.to_numpy(dtype=float)[counts])
    places = np.zeros(len(numbers), dtype=int)
    places[kind] = counts  # of one row of each kind
    there = np.flatnonzero(numbers)
    kinds = found.iloc[places[there]]
    texts = kinds.tests.tolist()
    # With the same graders, a test has one title and one weight, so each is read once.
    names = zip(kinds.exercise, kinds.graders, texts, strict=True)
    alike = [(exercise, graders, *names_in(text)) for exercise, graders, text in names]
    of_verdict = dict(zip(alike, kinds.verdict.tolist(), strict=True))
    about = _about(engine, list(of_verdict.values()))
    known = {key: tuple(about.get(verdict, {}).values()) for key, verdict in of_verdict.items()}
    sums: dict[tuple[str, str], tuple[str, int, int, float]] = {}
    for key, text, number, worth in zip(alike, texts, numbers[there].tolist(), most[there].tolist(), strict=True):
        for test, title, passed, share in _lost(known[key], text) if text else NOTHING_RAN:
            old, tried, failed, lost = sums.get((key[0], test), ("", 0, 0, 0.0))
            failed += 0 if passed else number
            sums[key[0], test] = max(old, title), tried + number, failed, lost + worth * share
    rows = [(*names, *values) for names, values in sorted(sums.items())]
    columns = list(zip(*rows, strict=True)) or [()] * len(TESTS)
    index, each = pd.RangeIndex(len(rows)), zip(TESTS.items(), columns, strict=True)
    return pd.DataFrame({name: pd.Series(values, index, dtype=kind) for (name, kind), values in each}, index)


def _about(engine: Engine, verdicts: list[int]) -> dict[int, dict[str, Outcome]]:
    """Return the tests of these verdicts by name."""
    columns = [getattr(OutcomeRecord, name) for name in Outcome._fields]
    statement = select(OutcomeRecord.verdict_id, *columns).where(OutcomeRecord.verdict_id.in_(verdicts))
    found: dict[int, dict[str, Outcome]] = {}
    with engine.connect() as connection:
        for verdict, *values in connection.execute(statement):
            found.setdefault(verdict, {})[values[0]] = Outcome(*values)
    return found


@lru_cache(maxsize=4096)
def _lost(tests: tuple[Outcome, ...], text: str) -> list[tuple[str, str, bool, float]]:
    """Return the name, the title, the result, and the lost share of each of these tests in the lines of `outcomes`."""
    known = {test.name: test for test in tests}
    ran = [known[name]._replace(passed=good) for name, (good, _) in named(text).items() if name in known]
    return [(test.name, test.title, test.passed, lost) for test, lost in zip(ran, lost_by(ran), strict=True)]


def lost_by(tests: Sequence[Outcome]) -> list[float]:
    """Return the share of an exercise's points that each test lost; together as much as the score lacks.

    The rule of the score is :func:`syncpoint.core.results.shares`.  There the half for the core tests is lost as a
    whole, and a least cost takes from tests that passed; here the tests that failed are charged with both.
    """
    weights = sum(test.weight for test in tests)
    core = [test for test in tests if test.core]
    core_failed = sum(not test.passed for test in core)
    found = []
    for test in tests:
        by_weight = test.weight / weights if weights else 0.0
        by_core = 1 / core_failed if test.core and not test.passed and weights else 0.0
        found.append(0.0 if test.passed else (by_weight + by_core) / 2 if core else by_weight)
    least = [LEAST_FOR_VALUE if test.value else LEAST for test, lost in zip(tests, found, strict=True) if lost > 0]
    lost, most = sum(found), max(least, default=0.0)
    more = most / lost if 0 < lost < most else 1.0
    return [share * more for share in found]


def misconceptions(found: pd.DataFrame) -> pd.DataFrame:
    """Return a class's misconceptions, most frequent first: slug, exercises (one string), students (their number).

    ``found`` is from `outcomes`.
    """
    counts = ~found.excused.to_numpy(dtype=bool)
    (places, texts), (students, _), (exercises, names) = (
        pd.factorize(found[name]) for name in ("tests", "student", "exercise")
    )
    slugs = [{slug for good, slug in named(text).values() if slug and not good} for text in texts]
    rows = []
    for one in sorted(set().union(*slugs)):
        of_it = np.array([one in each for each in slugs])[places] & counts
        where = sorted(names[np.unique(exercises[of_it])])
        if where:
            rows.append((one, ", ".join(where), np.count_nonzero(np.bincount(students[of_it]))))
    ranked = pd.DataFrame(rows, columns=["slug", "exercises", "students"]).astype({"students": int})
    return ranked.sort_values("students", ascending=False, kind="stable", ignore_index=True)


def failed(found: pd.DataFrame, exercise: str, test: str) -> set[str]:
    """Return the students who failed a test, with those who are excused; "" stands for exercises without any test."""
    of_it = found[found.exercise == exercise]
    lost = {text: not named(text).get(test, (True, ""))[0] if test else not text for text in of_it.tests.unique()}
    return set(of_it.student[of_it.tests.map(lost).astype(bool)])


def counted(costs: pd.DataFrame, excused: Collection[str]) -> int:
    """Return the number of graded students, without those who are excused.  ``costs`` is from `costs`."""
    return int((~costs.student.isin(excused)).sum())


def incidents(engine: Engine, assignment: str, students: Collection[str] | None = None) -> pd.DataFrame:
    """Return what interrupted or disturbed notebooks: student, notebook, kind, message, graded_at (UTC)."""
    return _messages(engine, assignment, students, IncidentRecord)


def acts(engine: Engine, assignment: str, students: Collection[str] | None = None) -> pd.DataFrame:
    """Return suspicious acts: student, notebook, kind, message, graded_at (UTC)."""
    return _messages(engine, assignment, students, ActRecord)


def _messages(engine: Engine, assignment: str, students: Collection[str] | None, table: Any) -> pd.DataFrame:
    columns = NotebookRecord.student, NotebookRecord.notebook, table.kind, table.message, NotebookRecord.graded_at
    of_notebook = select(*columns).join(NotebookRecord, NotebookRecord.id == table.notebook_id)
    found = frame(engine, _of(assignment, of_notebook, students).order_by(table.id))
    texts = pd.Series([str(message) for message in found["message"]], found.index, dtype=object)
    return found.assign(message=texts, graded_at=pd.to_datetime(found.graded_at))


def latest_first(messages: pd.DataFrame) -> pd.DataFrame:
    """Return incidents or acts, latest first, by the minute: exact times would follow the order of the ids.

    Their column ``graded`` has that minute as text.
    """
    minutes = messages.graded_at.to_numpy("datetime64[m]")
    texts = [text.replace("T", " ") for text in np.datetime_as_string(minutes).tolist()]
    graded = pd.Series(texts, messages.index, dtype=object)
    order = np.argsort(-minutes.astype(int), kind="stable")
    return messages.assign(graded=graded).take(order).reset_index(drop=True)


def costs(engine: Engine, assignment: str, students: Collection[str] | None = None) -> pd.DataFrame:
    """Return each submission's cost: student, seconds (wall-clock time), peak_mib (of its largest notebook)."""
    return frame(
        engine,
        _of(
            assignment,
            select(
                NotebookRecord.student,
                func.sum(NotebookRecord.total).label("seconds"),
                func.max(NotebookRecord.peak_mib).label("peak_mib"),
            ),
            students,
        ).group_by(NotebookRecord.student),
    ).astype({"seconds": float, "peak_mib": float})


def _of(assignment: str, statement: Any, students: Collection[str] | None = None) -> Any:
    """Keep the rows of one assignment, or of these students, whose submissions nbgrader still has."""
    if students is not None:
        statement = statement.where(NotebookRecord.student.in_(sorted(students)))
    return (
        statement.join(Assignment, Assignment.name == NotebookRecord.assignment)
        .join(
            SubmittedAssignment,
            (SubmittedAssignment.assignment_id == Assignment.id)
            & (SubmittedAssignment.student_id == NotebookRecord.student),
        )
        .where(Assignment.name == assignment)
    )
