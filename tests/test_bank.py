"""The graders of the course against the whole bank: right solutions keep every point, wrong ones lose some."""

import functools
from pathlib import Path

import pytest

from syncpoint.judge.course import Course
from syncpoint.judge.examination import GRADER_BROKE, collect
from syncpoint.judge.verdict import Verdict
from syncpoint.judge.vetting import is_right, vet

ROOT = Path(__file__).resolve().parent.parent
COURSE = Course(ROOT)
BANK = sorted((ROOT / "tests" / "bank").glob("*/*/*.py"))
RIGHT = [path for path in BANK if is_right(path)]
WRONG = [path for path in BANK if not is_right(path)]
EXERCISES = sorted({path.parent for path in BANK})

pytestmark = [pytest.mark.engine, pytest.mark.sandbox, pytest.mark.slow]


def name(path: Path) -> str:
    """How a test names a file or folder of the bank."""
    return str(path.relative_to(ROOT / "tests" / "bank"))


@functools.cache
def verdict_on(path: Path) -> Verdict:
    """The verdict on one solution: each is judged once."""
    (verdict,) = [verdict for verdict, _ in vet(COURSE, COURSE.world(path.parent.parent.name), path)]
    return verdict


@pytest.mark.parametrize("path", RIGHT, ids=name)
def test_a_right_solution_keeps_every_point(path):
    verdict = verdict_on(path)
    failed = {outcome.name: outcome.detail for outcome in verdict.outcomes if not outcome.passed}
    assert not failed and verdict.points == verdict.max_points, failed


@pytest.mark.parametrize("path", WRONG, ids=name)
def test_a_wrong_solution_loses_points_and_breaks_no_grader(path):
    verdict = verdict_on(path)
    assert verdict.points < verdict.max_points
    assert not [outcome.name for outcome in verdict.outcomes if outcome.message == GRADER_BROKE]


@pytest.mark.parametrize("folder", EXERCISES, ids=name)
def test_every_test_is_failed_by_a_wrong_solution(folder):
    tests = set(collect(COURSE.grader(folder.parent.name, f"test_{folder.name}")))
    wrong = [path for path in WRONG if path.parent == folder]
    failed = {outcome.name for path in wrong for outcome in verdict_on(path).outcomes if not outcome.passed}
    assert tests <= failed, f"nothing in the bank fails {sorted(tests - failed)}"
