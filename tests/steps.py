"""Finds every step that grading takes with one student's submission, and makes one of them fail.

A step is a function of this package or of nbgrader that is called with something of that student's: a path, a name,
nbgrader's resources, a submission.
"""

import contextlib
import errno
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import nbgrader

import syncpoint

ROOMS = tuple(str(Path(package.__file__).parent) for package in (syncpoint, nbgrader))
# They say what happened, or put things right after it.
SAYING = ("failures.py", "progress.py", "display.py", "admission.py", "printable.py", "signals.py")
STUDENT = "eve"
INJECTED = "a fault that was put in"


def _is_of(value: Any) -> bool:
    """Whether this is of the student's submission."""
    if isinstance(value, (str, Path)):
        return STUDENT in Path(value).parts if len(str(value)) < 5000 else False
    if isinstance(value, dict):
        inner = value.get("nbgrader")
        return isinstance(inner, dict) and inner.get("student") == STUDENT
    return type(value).__name__ == "Submission" and _is_of(getattr(value, "folder", ""))


def _step(frame: FrameType) -> str:
    """The name of the step that begins with this frame, or ""."""
    code = frame.f_code
    if not code.co_filename.startswith(ROOMS) or Path(code.co_filename).name in SAYING or "<" in code.co_name:
        return ""
    given = [frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount]]
    module = ".".join(Path(code.co_filename).with_suffix("").parts[-3:])
    return f"{module}.{code.co_qualname}" if any(map(_is_of, given)) else ""


class Steps:
    """Every step of the student's in a block, once.  failing: the one that raises an OSError when it begins."""

    def __init__(self, failing: str = ""):
        self.seen: dict[str, None] = {}
        self._failing = failing

    def __enter__(self) -> "Steps":
        sys.setprofile(self._look)
        return self

    def __exit__(self, *_: Any) -> None:
        sys.setprofile(None)

    def _look(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        step = _step(frame)
        if step and step not in self.seen:
            self.seen[step] = None
            if step == self._failing:
                raise OSError(errno.EIO, INJECTED, STUDENT)  # Python then looks no more


def in_a_fork(root: Path, command: Callable[[], Any], failing: str = "") -> tuple[Any, list[str], str]:
    """Run a command in the course folder; returns its exit status, the steps, and what it said."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        said = io.StringIO()
        status: Any = 99
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), Steps(failing) as steps:
            try:
                os.chdir(root)
                status = command()
            except SystemExit as end:
                status = end.code
            except BaseException as problem:
                said.write(f"it ended by {problem!r}")
        with os.fdopen(writer, "w") as pipe:
            pipe.write("\0".join([str(status or 0), "\n".join(steps.seen), said.getvalue()]))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, errors="replace") as pipe:
        status, steps, said = pipe.read().split("\0", 2)
    os.waitpid(child, 0)
    return int(status), steps.splitlines(), said
