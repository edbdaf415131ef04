"""Code of released grade cells: runs the checks, so that nbgrader's Validate shows which exercises fail."""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

from ..core.language import in_language, speaking
from ..core.messages import say
from ..report.row import wrapped
from .errors import CannotCheck, NotPassed
from .magic import of_notebook
from .visible_tests import ABOUT, VISIBLE_FOLDER, Visible

STUB = "raise NotImplementedError("
GRADE_CELL = "from syncpoint_check import validate"
WIDTH = 80  # Validate cuts longer lines


def validate(exercise: str) -> None:
    """Run an exercise's checks for students: ``check_<exercise>()`` of the notebook and the visible tests.

    If all checks pass, it shows nothing: Validate takes any output on stderr for a failure.

    Raises:
        NotPassed: If one of them fails or cannot run, or if nothing checks the exercise and its answer is a stub.
    """
    from IPython import get_ipython

    visible = of_notebook()
    with speaking(visible.language):
        with _quiet() as captured:
            why = _problem(visible, exercise, get_ipython().user_ns)
        if why:
            print("".join(captured), end="")
            raise NotPassed(wrapped(say("check_not_passed", exercise=exercise, why=why), "", WIDTH))


def _problem(visible: Visible, exercise: str, namespace: dict[str, Any]) -> str:
    """Return why an exercise does not pass, or ""."""
    if not (visible.folder / ABOUT).is_file():
        return say("check_no_folder", folder=VISIBLE_FOLDER)
    check = namespace.get(f"check_{exercise}")
    if callable(check):
        try:
            check()
        except (Exception, SystemExit) as error:
            return _reason(error, check.__name__)
    if exercise in visible.exercises:
        try:
            found = visible.check(exercise, namespace)
        except CannotCheck as why:
            return str(why)
        return " ".join(f"✗ {in_language(one.title)} {one.message or ''}".strip() for one in found if not one.passed)
    return "" if callable(check) or not _is_stub(namespace.get("In", ())) else say("check_stub")


def _reason(error: BaseException, check: str) -> str:
    if isinstance(error, NotImplementedError) and not str(error):  # an engine's missing operation has a text
        return say("check_stub")
    if isinstance(error, AssertionError):
        return str(error) or say("check_failed", check=check)
    return f"{type(error).__name__}: {error}"


def _is_stub(cells: Sequence[str]) -> bool:
    """Whether one of the answers run since the earlier exercises' grade cells was a stub."""
    before = itertools.dropwhile(_is_graded, reversed(cells[:-1]))
    return any(STUB in cell for cell in itertools.takewhile(lambda cell: not _is_graded(cell), before))


def _is_graded(cell: str) -> bool:
    return GRADE_CELL in cell


@contextlib.contextmanager
def _quiet() -> Iterator[list[str]]:
    """Hide all output of Python or an engine in the block."""
    from IPython.utils.capture import capture_output

    captured: list[str] = []
    sys.stderr.flush()
    usual = os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            with capture_output() as shown:
                yield captured
        finally:
            os.dup2(usual, 2)
            os.close(usual)
        file.seek(0)
        captured += [shown.stdout, shown.stderr, file.read().decode(errors="replace")]
