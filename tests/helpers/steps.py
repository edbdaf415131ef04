"""Finds every step that grading takes with a submission, and makes one fail for each student that is named.

A step is a function of this package or of nbgrader that is called with something of a student's: a path, a name,
nbgrader's resources, a submission.
"""

import contextlib
import errno
import io
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import nbgrader

import syncpoint

PACKAGES = tuple(str(Path(package.__file__).parent) for package in (syncpoint, nbgrader))
# They say what happened, or are the boundary itself.
SAYING = ("failures.py", "display.py", "strip.py", "signals.py", "run.py", "loop.py")
# A disk without locks is everybody's trouble, and a claim is released when its submission is over.
# What only saves time does without, and the submission is graded.  So it is if the transaction of several fails: then
# each is written by itself.
BEHIND = {
    *("Claims._lock", "Claims.take_if_alone", "Claims.release"),
    *("SubmissionCache._path", "SubmissionCache.put", "Postponed._path", "Postponed.remove"),
    *("Plan.remember", "Plan._state", "Committer.copies", "CourseDirectory.format_path"),
    *("_Known.add", "Committer._remove"),
    *("Students.__contains__", "_fits", "Submission.student", "Submission.name"),  # plain data: they compare names
}
INJECTED = "a fault that was put in"


def _student(value: Any) -> str:
    """Whose this is; "" if it is nobody's whose name begins with "eve"."""
    if isinstance(value, (str, Path)):
        return next((part for part in str(value).split("/") if part.startswith("eve")), "")
    if isinstance(value, dict):
        inner = value.get("nbgrader")
        return _student(inner.get("student", "")) if isinstance(inner, dict) else ""
    return _student(value.folder) if type(value).__name__ == "Submission" and hasattr(value, "folder") else ""


class Steps:
    """What is done in a block for students whose names begin with "eve".

    faults: student -> the step that raises an OSError when it begins for the first time.  seen: the steps.
    """

    def __init__(self, faults: Mapping[str, str]):
        self.seen: dict[str, None] = {}
        self._faults = dict(faults)
        self._names: dict[CodeType, str] = {}

    def __enter__(self) -> "Steps":
        sys.settrace(self._look)
        sys.setprofile(self._look_again)
        return self

    def __exit__(self, *_: Any) -> None:
        sys.settrace(None)
        sys.setprofile(None)

    def _look(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        step = self._names.get(code)
        if step is None:
            step = self._names[code] = _name(code)
        if not step:
            return
        given = frame.f_locals
        student = next(filter(None, (_student(given.get(name)) for name in code.co_varnames[: code.co_argcount])), "")
        if student:
            self.seen[step] = None
            if self._faults.get(student) == step:
                del self._faults[student]
                raise OSError(errno.EIO, INJECTED, student)

    def _look_again(self, *_: Any) -> None:
        """Python takes a tracer away that has raised."""
        if sys.gettrace() is None:
            sys.settrace(self._look)


def _name(code: CodeType) -> str:
    """The name of the step that is this function; "" if it is none."""
    file = Path(code.co_filename)
    if not code.co_filename.startswith(PACKAGES) or file.name in SAYING or "<" in code.co_qualname.split(".")[-1]:
        return ""
    return "" if code.co_qualname in BEHIND else f"{file.parent.name}.{file.stem}.{code.co_qualname}"


def in_a_fork(root: Path, command: Callable[[], Any], faults: Mapping[str, str]) -> tuple[int, list[str], str]:
    """Run a command in the course folder; returns its exit status, the steps, and what it said."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        output = io.StringIO()
        status: Any = 99
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output), Steps(faults) as steps:
            try:
                os.chdir(root)
                status = command()
            except SystemExit as end:
                status = end.code
            except BaseException as problem:
                output.write(f"it ended by {problem!r}")
        with os.fdopen(writer, "w") as pipe:
            pipe.write("\0".join([str(status or 0), "\n".join(steps.seen), output.getvalue()]))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, errors="replace") as pipe:
        reported = pipe.read()
    os.waitpid(child, 0)
    status, steps, output = reported.split("\0", 2)
    return int(status), steps.splitlines(), output
