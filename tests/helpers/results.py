"""Results of tests, written in one line."""

from syncpoint.core.explanations_of_tests import Explanation
from syncpoint.core.messages import words
from syncpoint.core.results import Status, TestResult
from syncpoint.judge.job import Result


def result_of(
    name: str = "",
    title: str = "",
    hint: str = "",
    weight: float = 1.0,
    passed: bool = False,
    message: str = "",
    detail: str = "",
    seconds: float = 0.0,
    misconception: str = "",
    core: bool = False,
    value: bool = False,
) -> TestResult:
    """A test that passed or failed, and what there is to say of it."""
    status = Status.PASSED if passed else Status.FAILED
    about = Explanation(title, hint, misconception)
    return TestResult(
        name=name,
        status=status,
        weight=weight,
        core=core,
        value=value,
        seconds=seconds,
        message=words(message) if message else None,
        detail=detail,
        words=about,
    )


def points(result: Result) -> list[float]:
    """The points of each exercise."""
    return [exercise.points for exercise in result.notebook_result.exercises]
