"""Ways to corrupt a submission, by accident and on purpose, one function each."""

import re
from collections.abc import Callable

from ..course.cells import grade_id
from .sample_submission import SampleSubmission


def endless_loop(submission: SampleSubmission, exercise: str) -> None:
    """The loop never ends."""
    submission.cell(exercise).source += "\n\n\nimport time\n\nwhile True:\n    time.sleep(1)\n"


def hang_in_c(submission: SampleSubmission, exercise: str) -> None:
    """A call into C sleeps and never releases Python's lock, so no interrupt reaches it."""
    submission.cell(exercise).source += "\n\n\nimport ctypes\n\nctypes.PyDLL(None).sleep(10**6)\n"


def kernel_exit(submission: SampleSubmission, exercise: str) -> None:
    """The process ends in the middle of the notebook."""
    submission.cell(exercise).source += "\n\n\nimport os\n\nos._exit(0)\n"


def memory_hog(submission: SampleSubmission, exercise: str) -> None:
    """Takes memory step by step until it is stopped."""
    source = 'import time\n\nhoard = []\nwhile True:\n    hoard.append(b"x" * 2**26)\n    time.sleep(0.05)\n'
    submission.insert_before(exercise, source)


def syntax_error(submission: SampleSubmission, exercise: str) -> None:
    """A bracket is missing."""
    submission.cell(exercise).source += f"\n\n\nprint({exercise}\n"


def deleted_cell(submission: SampleSubmission, exercise: str) -> None:
    """A grade cell was deleted."""
    submission.delete(f"test_{exercise}")


def not_json(submission: SampleSubmission, exercise: str) -> None:
    """The file with this exercise is not a notebook."""
    name = submission.notebook_with(exercise)
    del submission.notebooks[name]
    submission.corrupted[name] = "Dear teacher, my notebook is on my other computer.\n"


def missing_notebook(submission: SampleSubmission, exercise: str) -> None:
    """The notebook with this exercise was forgotten."""
    del submission.notebooks[submission.notebook_with(exercise)]


def edited_metadata(submission: SampleSubmission) -> None:
    """No solution, but points for everything, and cells that must not run."""
    for notebook in submission.notebooks.values():
        graded = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]
        for number, cell in enumerate(graded):
            cell.metadata.nbgrader.points = 1000 if number % 2 else "abc"
            cell.metadata.tags = ["skip-execution"]
        for cell in graded[:1]:
            cell.metadata.nbgrader.grade_id += "_bonus"


FORGERY = '''\
import sys


class Agrees:
    """Equal to everything and never in the way."""

    __hash__ = object.__hash__

    def __eq__(self, other):
        return True

    def __call__(self, *arguments, **keywords):
        return self

    def __getattr__(self, name):
        return self

    def __float__(self):
        return 1000.0


sys.displayhook(1000)
sys.displayhook = lambda value: print("1000")
print("score: 1000 of 1000")
print('{"points": 1000, "passed": true}')
'''
DEFINED = re.compile(r"^(?:class|def) (\w+)", re.MULTILINE)


def forger(submission: SampleSubmission) -> None:
    """No solution, but forged scores and objects that are equal to everything."""
    for notebook in submission.notebooks.values():
        for cell in notebook.cells:
            if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("solution"):
                names = DEFINED.findall(cell.source) or [grade_id(cell)]
                cell.source = "\n".join([FORGERY, *(f"{name} = Agrees()" for name in names), "1000\n"])


AT_AN_EXERCISE: dict[str, Callable[[SampleSubmission, str], None]] = {
    function.__name__: function
    for function in (
        endless_loop, hang_in_c, kernel_exit, memory_hog, syntax_error, deleted_cell, not_json, missing_notebook
    )
}  # fmt: skip
EVERYWHERE: dict[str, Callable[[SampleSubmission], None]] = {
    function.__name__: function for function in (edited_metadata, forger)
}
