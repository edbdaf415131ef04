"""A class in which everything goes wrong that can: each student's notebook, its points, and the reason to be read."""

import copy
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from classroom import DOUBLE, QUEUE_WORK, SmallCourse

# Each of these lines alone buys full points, or an error, in nbgrader as it comes.
FORGE_OUTPUTS = """
import sys
from IPython.display import display
sys.displayhook(1000)
display({'text/plain': '1000'}, raw=True)
sys.displayhook(-5)
float('nan')
"""
# The value is wrong, and claims to be equal to everything.
FORGE_EQ = """
class Right:
    def __eq__(self, other): return True
    __ne__ = __lt__ = __gt__ = lambda self, other: False
    shape, dtype, size, ndim = (), float, 1, 0
def queue_work(x):
    nd.dot(x, x)
    return Right()
"""
HOLD_THE_LOCK = "import ctypes\nctypes.PyDLL(None).sleep(1000)"
HOG = "held = [bytearray(b'x') * 2**28 for _ in range(100)]"
# Each one stays below the limit; together they do not.  This one and the next two are in tests/sandbox/test_limits.py.
HOGS = """
import os, time
for _ in range(6):
    if os.fork() == 0:
        held = bytearray(b'x') * (400 * 2**20)
        time.sleep(600)
time.sleep(600)
"""
FORK = """
import subprocess, time
held = [subprocess.Popen(['sleep', '600']) for _ in range(400)]
time.sleep(600)
"""
FLOOD = "while True: print('x' * 500)"


@dataclass(frozen=True)
class Case:
    """The expected result of a student: points of both exercises, and words in the feedback."""

    points: tuple[float, float]
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class GradedClass:
    """The course after grading, the cases by student, and the three finished commands."""

    course: SmallCourse
    autograde: subprocess.CompletedProcess[str]
    feedback: subprocess.CompletedProcess[str]
    export: subprocess.CompletedProcess[str]


SOURCES: dict[str, tuple[dict[str, str], Case]] = {
    "aaron_is_right": ({}, Case((4, 2))),
    "waits": (
        {"queue_work": "def queue_work(x):\n    y = nd.dot(x, x).sum()\n    y.wait_to_read()\n    return y"},
        Case((1, 2), ("HINT-OF-WAITING", "TITLE-OF-WAITING")),
    ),
    "syntax_error": (
        {"queue_work": "def queue_work(x:"},
        Case((0, 2), ("cell 2 (`queue_work`) raised SyntaxError", "`queue_work` is not defined")),
    ),
    "exception": (
        {"double": "1 / 0"},
        Case((4, 0), ("cell 4 (`double`) raised ZeroDivisionError", "`double` is not defined")),
    ),
    "raises_when_called": (
        {"double": "def double(x):\n    raise ValueError(str(x))"},
        Case((4, 0), ("`double` raised ValueError (line 2 of a cell)",)),
    ),
    "endless_loop": (
        {"queue_work": "import time\nwhile True: time.sleep(1)"},
        Case((0, 2), ("cell 2 (`queue_work`) did not finish within 8 s and was stopped",)),
    ),
    "hangs_in_c": (
        {"double": HOLD_THE_LOCK},
        Case((4, 0), ("cell 4 (`double`)", "within 8 s and did not react to an interrupt; the kernel was killed")),
    ),
    "exits": ({"double": "import os\nos._exit(0)"}, Case((4, 0), ("cell 4 (`double`)", "the kernel exited by itself"))),
    "hogs": ({"double": HOG}, Case((4, 0), ("cell 4 (`double`) raised MemoryError",))),
    "forge_eq": ({"queue_work": FORGE_EQ, "double": DOUBLE}, Case((3, 2), ("TITLE-OF-VALUE",))),
    "warns": (
        {"queue_work": f"import sys\n{QUEUE_WORK.replace(' return', ' print(1, file=sys.stderr); return')}"},
        Case((4, 2)),
    ),
    "prints_markup": (
        {"double": f"{DOUBLE}\nprint('<script>alert(1)</script>')\n"
         "from IPython.display import HTML, Javascript, display\n"
         "display(HTML('<script>alert(2)</script>'), Javascript('alert(3)'))"},
        Case((4, 2)),
    ),
    "lists_files": ({"double": f"{DOUBLE}\nimport os\nprint('FILES', sorted(os.listdir('.')))"}, Case((4, 2))),
    "zoe_is_right": ({}, Case((4, 2))),
}  # fmt: skip


def _cell(notebook: dict[str, Any], identity: str) -> dict[str, Any]:
    return next(c for c in notebook["cells"] if c["metadata"]["nbgrader"]["grade_id"] == identity)


def _drop(*identities: str) -> Callable[[dict[str, Any]], None]:
    def edit(notebook: dict[str, Any]) -> None:
        stored = [c for c in notebook["cells"] if c["metadata"]["nbgrader"]["grade_id"] not in identities]
        notebook["cells"] = stored

    return edit


def _duplicate(notebook: dict[str, Any]) -> None:
    notebook["cells"] += [copy.deepcopy(_cell(notebook, "test_queue_work")), copy.deepcopy(_cell(notebook, "double"))]


def _edit_metadata(notebook: dict[str, Any]) -> None:
    for number, identity in enumerate(("test_queue_work", "test_double")):
        cell = _cell(notebook, identity)
        cell["metadata"]["tags"] = ["skip-execution", "remove-cell"]
        cell["metadata"]["nbgrader"].update(points=("abc", 1000)[number], locked=False, solution=True)
    _cell(notebook, "queue_work")["source"] = "def queue_work(x):\n    return 0"
    _cell(notebook, "double")["source"] = "def double(x):\n    return 0"


def _rename(notebook: dict[str, Any]) -> None:
    _cell(notebook, "double")["metadata"]["nbgrader"]["grade_id"] = "mine"
    _cell(notebook, "test_double")["metadata"]["nbgrader"]["grade_id"] = "also_mine"


def _strip(notebook: dict[str, Any]) -> None:
    notebook["metadata"] = {}
    for cell in notebook["cells"]:
        cell["metadata"] = {}


EDITS: dict[str, tuple[Callable[[dict[str, Any]], None], Case]] = {
    "deleted_test": (
        _drop("test_queue_work"),
        Case((4, 2), ("The cell `test_queue_work` was missing and was added again",)),
    ),
    "deleted_solution": (_drop("double"), Case((4, 0), ("The cell `double` is missing, and no other cell defines",))),
    "duplicated": (_duplicate, Case((4, 2), ("several copies of the course's cell `test_queue_work`",))),
    "edited_metadata": (_edit_metadata, Case((0, 0))),
    "renamed": (_rename, Case((4, 2), ("`test_double` was missing",))),
    "no_metadata": (_strip, Case((4, 2), ("work.ipynb contains none of the exercise cells",))),
}

OTHER_ASSIGNMENT = {
    "nbformat": 4,
    "nbformat_minor": 4,
    "metadata": {},
    "cells": [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": "x = 1"},
        {"cell_type": "markdown", "metadata": {"nbgrader": {"grade_id": "essay", "grade": True}}, "source": "words"},
    ],
}

RAW: dict[str, tuple[Any, Case]] = {
    "not_json": ("hello", Case((0, 0), ("work.ipynb is not a notebook: it is text that begins with 'hello'",))),
    "empty_file": ("", Case((0, 0), ("work.ipynb is not a notebook",))),
    "other_assignment": (
        OTHER_ASSIGNMENT,
        Case((0, 0), ("work.ipynb contains none of the exercise cells. Is it from another assignment",)),
    ),
}

CASES: dict[str, Case] = {
    **{name: case for name, (_, case) in SOURCES.items()},
    **{name: case for name, (_, case) in EDITS.items()},
    **{name: case for name, (_, case) in RAW.items()},
    "forge_outputs": Case((0, 2)),
    "untouched": Case((0, 0), ("NotImplementedError",)),
    "empty_folder": Case((0, 0), ("work.ipynb was not submitted",)),
    "other_file_only": Case((0, 0), ("work.ipynb was not submitted",)),
    "links_to_a_neighbor": Case((0, 0), ("work.ipynb is a link to another file",)),
}


def submit_class(course: SmallCourse) -> GradedClass:
    """Write every submission, then grade them all in one call."""
    for student, (sources, _) in SOURCES.items():
        course.submit(student, course.solved(**sources))
    for student, (edit, _) in EDITS.items():
        notebook = course.solved()
        edit(notebook)
        course.submit(student, notebook)
    for student, (content, _) in RAW.items():
        course.submit(student, content)
    forged = course.solved(queue_work=f"{FORGE_OUTPUTS}\ndef queue_work(x):\n    return 0")
    _cell(forged, "test_queue_work")["source"] = FORGE_OUTPUTS
    course.submit("forge_outputs", forged)
    course.submit("untouched", course.release())
    course.folder("empty_folder")
    (course.folder("other_file_only") / "essay.txt").write_text(QUEUE_WORK)
    (course.folder("links_to_a_neighbor") / "work.ipynb").symlink_to(
        course.root / "submitted" / "aaron_is_right" / "async" / "work.ipynb"
    )
    beside = course.folder("lists_files")
    (beside / "mine.txt").write_text("mine")
    (beside / "linked.txt").symlink_to(course.grader("test_double"))
    (beside / "folder").mkdir()
    (beside / "folder" / "linked.txt").symlink_to(course.grader("test_double"))
    return GradedClass(
        course,
        course.nbgrader("autograde", "async"),
        course.nbgrader("generate_feedback", "async"),
        course.nbgrader("export"),
    )
