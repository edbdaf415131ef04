"""Code of released grade cells: the checks of the exercise, so that nbgrader's Validate shows whether they pass.

No source contains it, and grading does not run it: there the judge replaces these cells.
"""

from string import Template

from nbformat import NotebookNode

from ..core.language import speaking
from ..core.messages import say
from ..course.folder import Course
from ..course.intake import METADATA
from ..judge.cells import is_autograded
from ..translations.catalogue import spoken

HIDDEN = "### BEGIN HIDDEN TESTS"
# The underscore keeps a student's own `validate` intact.  An assertion's text may differ between languages.
CHECK = Template("""\
try:
    from syncpoint_check import validate as _validate
except ImportError:
    _validate = None
assert _validate, $install
_validate($exercise)
""")


def add_checks(course: Course, assignment: str, notebook: NotebookNode) -> None:
    """Make a source's grade cells check their exercises in its language, or raise CourseError."""
    with speaking(spoken(course, notebook.metadata.get(METADATA, ""), assignment)):
        install = repr(say("check_install"))
    for cell in filter(is_autograded, notebook.cells):
        cell.metadata["tags"] = ["raises-exception"]  # so that JupyterLab's Run All continues after it
        exercise = repr(cell.metadata.nbgrader.grade_id.removeprefix("test_"))
        seen, hidden, rest = cell.source.partition(HIDDEN)
        seen = f"{seen.rstrip()}\n" if seen.strip() else ""
        cell.source = f"{seen}{CHECK.substitute(install=install, exercise=exercise)}{hidden}{rest}".rstrip("\n")
