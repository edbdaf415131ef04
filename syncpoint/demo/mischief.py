"""What goes wrong with submissions, by accident and on purpose: each function spoils one student's papers."""

from .papers import Papers, grade_id


def endless_loop(papers: Papers) -> None:
    """The loop never ends."""
    papers.cell("loops").source += "\n\n\nwhile True:\n    pass\n"


def hang_in_c(papers: Papers) -> None:
    """A call into C sleeps and never lets go of Python's lock: no interrupt reaches it."""
    papers.cell("train_async").source += "\n\n\nimport ctypes\n\nctypes.PyDLL(None).sleep(10**6)\n"


def kernel_exit(papers: Papers) -> None:
    """The process ends in the middle of the notebook."""
    papers.cell("train_bounded").source += "\n\n\nimport os\n\nos._exit(0)\n"


def memory_hog(papers: Papers) -> None:
    """Takes memory, step by step, until somebody stops it."""
    source = 'import time\n\nhoard = []\nwhile True:\n    hoard.append(b"x" * 2**26)\n    time.sleep(0.05)\n'
    papers.insert_before("train_sync", source)


def syntax_error(papers: Papers) -> None:
    """A bracket is missing."""
    papers.cell("queue_work").source = "def queue_work(x):\n    return nd.dot(x, x.sum()\n"


def deleted_cell(papers: Papers) -> None:
    """Somebody tidied up, and a grade cell is gone."""
    papers.delete("test_sync_functions")


def not_json(papers: Papers) -> None:
    """The second file is no notebook at all."""
    del papers.notebooks["memory"]
    papers.spoilt["memory"] = "Dear teacher, my notebook is on my other computer.\n"


def missing_notebook(papers: Papers) -> None:
    """The second notebook was forgotten."""
    del papers.notebooks["memory"]


def edited_metadata(papers: Papers) -> None:
    """No solution, but points for everything, and cells that must not run."""
    for notebook in papers.notebooks.values():
        graded = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]
        for number, cell in enumerate(graded):
            cell.metadata.nbgrader.points = 1000 if number % 2 else "abc"
            cell.metadata.tags = ["skip-execution"]
    papers.cell("test_loops").metadata.nbgrader.grade_id = "test_loops_bonus"


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


def forger(papers: Papers) -> None:
    """No solution, but forged scores and objects that are equal to everything."""
    for notebook in papers.notebooks.values():
        for cell in notebook.cells:
            nbgrader = cell.metadata.get("nbgrader", {})
            if cell.cell_type == "code" and nbgrader.get("solution"):
                names = NAMES.get(grade_id(cell), (grade_id(cell),))
                cell.source = "\n".join([FORGERY, *(f"{name} = Agrees()" for name in names), "1000\n"])


NAMES = {
    "benchmark": ("Benchmark",),
    "sync_functions": ("wait_for_one", "wait_for_all", "as_numpy", "as_scalar"),
    "loops": ("synchronous_loop", "asynchronous_loop"),
}
