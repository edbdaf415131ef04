"""The trivial assignment, one function and one test, in the three forms that the three graders read."""

import shutil
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from syncpoint.course.folder import CONFIG, Course

TRIVIAL = "trivial"
KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
IMPORT = "from mxnet import nd"
SOLUTION = """\
def double(x):
    ### BEGIN SOLUTION
    return x * 2
    ### END SOLUTION
"""
# The visible check: stock nbgrader runs it once more as its hidden test.
CHECK = "assert double(nd.array([1, 2, 3])).asnumpy().tolist() == [2, 4, 6]"
HIDDEN = """\
### BEGIN HIDDEN TESTS
raise RuntimeError("not judged")
### END HIDDEN TESTS
"""
GRADER = '''\
"""double(x) is twice x."""

import numpy as np

from syncpoint.graders import array


def test_double(student, rng):
    """It doubles every element."""
    x = rng.normal(size=4).astype("float32")
    assert np.array_equal(np.asarray(student.call("double", array(x)).returned), 2 * x)
'''
OTTER_TEST = """\
from otter.test_files import test_case

OK_FORMAT = False
name = "double"
points = 1


@test_case()
def test_double(double, nd):
    assert double(nd.array([1, 2, 3])).asnumpy().tolist() == [2, 4, 6]
"""


def trivial_course(course: Course, folder: Path) -> Course:
    """A course in ``folder`` that holds the trivial assignment alone, with the settings and engines of ``course``."""
    source, graders = folder / "source" / TRIVIAL, folder / "grader_tests" / TRIVIAL
    source.mkdir(parents=True)
    graders.mkdir(parents=True)
    shutil.copy(course.root / CONFIG, folder)
    for engine in course.root.glob(".venv-*"):
        (folder / engine.name).symlink_to(engine)
    nbformat.write(_notebook(), str(source / f"{TRIVIAL}.ipynb"))
    (graders / "test_double.py").write_text(GRADER)
    return Course(folder)


def _notebook() -> NotebookNode:
    notebook = new_notebook(metadata={"kernelspec": KERNEL})
    notebook.cells = [
        _cell("imports", IMPORT, locked=True),
        _cell("double", SOLUTION, solution=True),
        _cell("check_double", CHECK, locked=True),
        _cell("test_double", HIDDEN, grade=True, locked=True, points=1),
    ]
    return notebook


def _cell(identity: str, source: str, **kind: bool | int) -> NotebookNode:
    data = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3}
    cell = new_code_cell(source, metadata={"nbgrader": {**data, "grade_id": identity, **kind}})
    cell.id = identity.replace("_", "-")
    return cell
