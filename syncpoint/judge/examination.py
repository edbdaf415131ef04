"""Runs one grader module with pytest against one student and collects what its tests found."""

import contextlib
import io
import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from . import pytest_plugin
from .kernel import KernelGone
from .observation import BadReply, StudentError
from .student import Student
from .verdict import Outcome

BASE_ARGUMENTS = [
    *("--quiet", "--no-header", "--no-summary", "--import-mode=importlib", "--disable-plugin-autoload"),
    *("-p", "no:cacheprovider", "-p", "no:doctest", "-p", "no:unittest", "-c", os.devnull),
    # These two collect garbage ten times in each run: four fifths of the judge's own time.
    *("-p", "no:unraisableexception", "-p", "no:threadexception"),
]
LOOKING_SECONDS = 30  # what the judge itself may take, beyond the time of the student's calls
GRADER_BROKE = "This test itself went wrong, and gave no points. Please tell your instructor."


class GraderError(Exception):
    """A grader module cannot be used; the text names the module and what to do."""


class Collector:
    """A pytest plugin that turns reports into outcomes."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []
        self.errors: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep the text of a module that cannot be imported."""
        if report.failed:
            self.errors.append(str(report.longrepr))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> Generator[None, Any, Any]:
        """Keep one outcome for each test: of its call, or of a fixture that failed before or after it."""
        report = yield
        if report.when == "call" or report.failed:
            title, hint, weight = describe(item)
            error = call.excinfo.value if call.excinfo else None
            self.outcomes = [outcome for outcome in self.outcomes if outcome.name != item.name]
            self.outcomes.append(
                Outcome(
                    name=item.name,
                    title=title,
                    hint=hint,
                    weight=weight,
                    passed=report.passed,
                    message=message_for_student(error),
                    detail=str(report.longrepr)[-4000:] if report.failed else "",
                    seconds=round(call.duration, 3),
                )
            )
        return report


def describe(item: pytest.Item) -> tuple[str, str, float]:
    """Title, hint and weight of a test."""
    documentation = (getattr(getattr(item, "function", None), "__doc__", None) or "").strip()
    hints = item.get_closest_marker("hint")
    weights = item.get_closest_marker("weight")
    title = documentation.splitlines()[0] if documentation else item.name.removeprefix("test_").replace("_", " ")
    return title, hints.args[0] if hints else "", float(weights.args[0]) if weights else 1.0


def message_for_student(error: BaseException | None) -> str:
    """What a student may read of a failure: about their own code only."""
    if isinstance(error, StudentError):
        return str(error)
    if isinstance(error, KernelGone):
        return f"Could not run: {error.fault.sentence}."
    if isinstance(error, BadReply):
        return "Could not run: your notebook disturbed the conversation with its kernel."
    if error is None or isinstance(error, (AssertionError, pytest.skip.Exception)):
        return ""
    return GRADER_BROKE


def examine(module: Path, student: Student) -> list[Outcome]:
    """Run a grader module against one student.  Raises GraderError if it holds no test or cannot be imported."""
    collector = Collector()
    with _alarm(student.deadline.seconds + LOOKING_SECONDS):
        _run_pytest(module, collector, pytest_plugin.Examinee(student))
    if not collector.outcomes:
        raise GraderError(f"{module} holds no test: write at least one function test_...(student).")
    return collector.outcomes


def collect(module: Path) -> list[str]:
    """The names of the tests of a grader module.  Raises GraderError as :func:`examine` does."""

    class Names:
        def __init__(self) -> None:
            self.names: list[str] = []

        def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
            self.names = [item.name for item in items]

    found = Names()
    _run_pytest(module, Collector(), found, "--collect-only")
    if not found.names:
        raise GraderError(f"{module} holds no test: write at least one function test_...(student).")
    return found.names


def _run_pytest(module: Path, collector: Collector, plugin: object, *options: str) -> None:
    """Run pytest in this process without a word on the screen.  Raises GraderError for a module with an error."""
    arguments = [*BASE_ARGUMENTS, *options, "--rootdir", str(module.parent), str(module)]
    with contextlib.redirect_stdout(io.StringIO()):
        status = pytest.main(arguments, plugins=[pytest_plugin, collector, plugin])
    if collector.errors:
        raise GraderError(f"{module} cannot be imported:\n{collector.errors[0]}")
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise GraderError(f"{module}: pytest ended before all tests were judged ({pytest.ExitCode(status).name}).")


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise StudentError in the test that runs after so many seconds, and soon again in each later one.

    What a student returns or prints may be made to be looked at for ever.
    """

    def ring(*_: Any) -> None:
        raise StudentError("The judge took too long to look at what your code returned or printed.")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
