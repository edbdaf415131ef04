"""Runs one grader module with pytest against one student and collects what its tests found."""

import contextlib
import io
import os
import signal
import sys
import traceback
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from ..core.explanations_of_tests import Explanation, read_explanations, title_of
from ..core.grader_sentences import problems
from ..core.messages import Message
from ..core.results import Status, TestResult, function_of
from ..core.strip import strip_control
from ..core.timeline_data import Timeline
from ..observe.errors import BadReply, NotTested, StudentError
from ..observe.observation import ForStudent
from ..observe.timeline_from_log import timeline
from . import pytest_plugin
from .errors import DeadKernelError, GraderError
from .student import Student

BASE_ARGUMENTS = [
    *("--quiet", "--no-header", "--no-summary", "--import-mode=importlib", "--disable-plugin-autoload"),
    *("-p", "no:cacheprovider", "-p", "no:doctest", "-p", "no:unittest", "-c", os.devnull),
    # These two collect garbage ten times in each run, which took four fifths of the judge's own time.
    *("-p", "no:unraisableexception", "-p", "no:threadexception"),
    # These plugins are not needed here, and each would be registered again for every exercise.
    *(f"-pno:{name}" for name in ("debugging", "faulthandler", "junitxml", "logging")),
    *(f"-pno:{name}" for name in ("pastebin", "setuponly", "setupplan", "stepwise")),
]
PACKAGE = Path(__file__).parent.parent
LOOKING_SECONDS = 30.0  # of the judge's own processor time, for the tests of one exercise
AGAIN_SECONDS = 5.0


class Collector:
    """A pytest plugin that converts reports to results; ``explanations`` are those readable without a run."""

    def __init__(self, explanations: Mapping[str, Explanation]) -> None:
        self._explanations = explanations
        self.results: list[TestResult] = []
        self.errors: list[str] = []
        self.interrupted: KeyboardInterrupt | None = None

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Note that the judge was asked to end: pytest does not report it, and an interrupted test has no result."""
        # pytest also interrupts itself if a module cannot be imported.
        if isinstance(excinfo.value, KeyboardInterrupt) and not isinstance(excinfo.value, pytest.Session.Interrupted):
            self.interrupted = excinfo.value

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep the text of a module that cannot be imported."""
        if report.failed:
            self.errors.append(str(report.longrepr))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
        """Keep one result for each test: of its call, or of a failed fixture before or after it."""
        if call.excinfo is not None:
            call.excinfo.traceback = call.excinfo.traceback.filter(_is_outside_the_judge)
        report = yield
        if report.when == "call" or report.failed:
            error = call.excinfo.value if call.excinfo else None
            self.results = [result for result in self.results if result.name != item.name]
            self.results.append(
                TestResult(
                    name=item.name,
                    status=Status.PASSED if report.passed else status_of(error),
                    weight=float(_mark(item, "weight", 1.0)),
                    core=item.get_closest_marker("core") is not None,
                    value=item.get_closest_marker("value") is not None,
                    seconds=round(call.duration, 3),
                    message=message_for_student(error),
                    detail=_detail(report, error),
                    timeline=timeline_for_student(error),
                    words=self._worked_out(item),
                )
            )
        if call.excinfo is not None:
            _forget_variables(call.excinfo.value)
        return report

    def _worked_out(self, item: pytest.Item) -> Explanation | None:
        """Return the texts of a test if its module computes them: they cannot be looked up later."""
        found = words_of(item)
        return None if found == self._explanations.get(function_of(item.name)) else found


def _forget_variables(error: BaseException) -> None:
    """Free a failed test's variables: its frames form cycles that would keep arrays for many notebooks."""
    traceback.clear_frames(error.__traceback__)
    for frame, _ in traceback.walk_tb(error.__traceback__):
        # pytest has read the locals, so Python (up to 3.12) has copied them; reading again updates the copy.
        _ = frame.f_locals


class CpuTimeLimit:
    """A pytest plugin that ends a test with too much processor time, and soon each later one.

    What a student returns or prints may be made to be looked at for ever.  Processor time, since on a busy machine the
    clock says nothing about the judge.
    """

    def __init__(self, seconds: float):
        self._seconds = seconds
        self._in_a_test = False

    def __enter__(self) -> "CpuTimeLimit":
        self._before = signal.signal(signal.SIGPROF, self._ring)
        signal.setitimer(signal.ITIMER_PROF, self._seconds, AGAIN_SECONDS)
        return self

    def __exit__(self, *exception: Any) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, self._before)

    def _ring(self, *_: Any) -> None:
        if self._in_a_test:  # outside a test, it would end pytest and all tests
            raise StudentError(Message("endless"))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self) -> Generator[None, Any, Any]:
        """Limit fixtures, which also compute with values."""
        return (yield from self._listening())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, Any, Any]:
        """Limit the test itself."""
        return (yield from self._listening())

    def _listening(self) -> Generator[None, Any, Any]:
        self._in_a_test = True
        try:
            return (yield)
        finally:
            self._in_a_test = False


def words_of(item: pytest.Item) -> Explanation:
    title = title_of(getattr(getattr(item, "function", None), "__doc__", None))
    return Explanation(title, _mark(item, "hint", ""), _mark(item, "misconception", ""))


def status_of(error: BaseException | None) -> Status:
    """Return the outcome of a test that did not pass. A skipped test shows nothing about the student."""
    if isinstance(error, (NotTested, DeadKernelError, BadReply, pytest.skip.Exception)) or error is None:
        return Status.NOT_RUN
    return Status.FAILED if isinstance(error, AssertionError) else Status.ERROR


def _detail(report: pytest.TestReport, error: BaseException | None) -> str:
    """Return the assertion with its values; "" if the message is complete, as for code that did not run."""
    return strip_control(str(report.longrepr)[-4000:]) if report.failed and not isinstance(error, StudentError) else ""


def _is_outside_the_judge(entry: Any) -> bool:
    """Whether a frame is a grader's: instructors need not read the judge's own source."""
    return PACKAGE not in Path(entry.path).parents


def _mark(item: pytest.Item, name: str, default: Any) -> Any:
    mark = item.get_closest_marker(name)
    return mark.args[0] if mark else default


def message_for_student(error: BaseException | None) -> Message | None:
    """Return the student's message on a failure: only about their own code."""
    if isinstance(error, StudentError):
        return error.message
    if isinstance(error, DeadKernelError):
        return Message.of("could_not_run", why=error.fault.message)
    if isinstance(error, BadReply):
        return Message("disturbed")
    if isinstance(error, AssertionError):
        note = _note(error)
        return note.message if note else None
    return Message("grader_broke") if status_of(error) is Status.ERROR else None


def timeline_for_student(error: BaseException | None) -> Timeline | None:
    """Return the timeline of the events whose order decided, if the failed test names them."""
    note = _note(error)
    return timeline(note.log) if note is not None else None


def _note(error: BaseException | None) -> ForStudent | None:
    return next((note for note in getattr(error, "__notes__", ()) if isinstance(note, ForStudent)), None)


def run_tests(module: Path, student: Student, variant: str = "") -> list[TestResult]:
    """Return a result for each test of a grader module, in order, or raise GraderError if it has none or is broken."""
    collector = Collector(read_explanations(module.read_bytes()))
    with CpuTimeLimit(LOOKING_SECONDS) as limit, _compiled_once():
        _run_pytest(module, collector, pytest_plugin.StudentPlugin(student, variant), limit)
    if not collector.results:
        raise GraderError(Message.of("no_test", module=str(module)))
    return collector.results


def collect(module: Path) -> dict[str, str]:
    """Return the tests of a grader module, and the misconception of each.

    Raises:
        GraderError: As :func:`run_tests` does; also if one of its sentences, or of a module next to it, is invalid.
    """
    for path in (module, *pytest_plugin.helper_files(module.parent)):
        found = "; ".join(problems(path.read_bytes()))
        if found:
            raise GraderError(Message.of("odd_sentence", module=str(path), problems=found))

    class Tests:
        def __init__(self) -> None:
            self.found: dict[str, str] = {}

        def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
            self.found = {item.name: _mark(item, "misconception", "") for item in items}

    tests = Tests()
    _run_pytest(module, Collector({}), tests, options=("--collect-only",))
    if not tests.found:
        raise GraderError(Message.of("no_test", module=str(module)))
    return tests.found


def _run_pytest(module: Path, collector: Collector, *plugins: object, options: tuple[str, ...] = ()) -> None:
    """Run pytest in this process without output on the screen, or raise GraderError for a module with an error."""
    # Anyone can put files into a temporary folder. So pytest reads a conftest.py above the module only from the course,
    # and finds no other __init__.py, which it would import.
    course, shared = module.parents[2], module.parents[1]
    arguments = [*BASE_ARGUMENTS, *options, "--confcutdir", str(shared), "--rootdir", str(course), str(module)]
    complaint = io.StringIO()
    os.environ.pop("PYTEST_ADDOPTS", None)  # options of a person's own tests would change how graders run
    with _imported_afresh(module), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(complaint):
        status = pytest.main(arguments, plugins=[pytest_plugin, collector, *plugins])
    if collector.interrupted is not None:
        raise collector.interrupted
    if collector.errors:
        raise GraderError(Message.of("no_import", module=str(module), error=collector.errors[0]))
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
        ended = f"{pytest.ExitCode(status).name}\n{complaint.getvalue()}".strip()
        raise GraderError(Message.of("pytest_ended", module=str(module), status=ended))


@contextlib.contextmanager
def _imported_afresh(module: Path) -> Iterator[None]:
    """Have changed files read again: Python would reuse modules of these names.

    The module and conftest.py, as parts of ``grader_tests``, and the helpers of its assignment, which it imports as if
    they were installed.
    """
    package, helpers = module.parents[1].name, pytest_plugin.helpers(module.parent)

    def known() -> list[str]:
        return [name for name in sys.modules if name in helpers or name.partition(".")[0] == package]

    others = {name: sys.modules.pop(name) for name in known()}
    usual, sys.path[:] = list(sys.path), [str(module.parent), str(module.parent.parent), *sys.path]
    try:
        yield
    finally:
        sys.path[:] = usual
        for name in known():
            del sys.modules[name]
        sys.modules.update(others)


@contextlib.contextmanager
def _compiled_once() -> Iterator[None]:
    """Let pytest cache compiled modules, even with PYTHONDONTWRITEBYTECODE, which containers set."""
    usual, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        yield
    finally:
        sys.dont_write_bytecode = usual
