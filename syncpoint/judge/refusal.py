"""What stands in a notebook for each verdict, and the verdicts on one of which nothing can be run."""

from nbformat import NotebookNode
from nbformat.v4 import new_output

from .misconceptions import parse_misconceptions
from .paper import Kit
from .report import Background, render
from .submission import is_autograded
from .verdict import Incident, Judgement, Verdict

NO_SANDBOX = "Graded without a sandbox: the operator switched it off (isolation = none)."


def refuse(kit: Kit, notebook: NotebookNode, notes: tuple[str, ...], reason: str) -> Judgement:
    """No points for a notebook of which nothing can be run, with the reason in every exercise."""
    verdicts = []
    for cell in filter(is_autograded, notebook.cells):
        marks = cell.metadata.nbgrader
        verdicts.append(Verdict(marks.grade_id, float(marks.points), (), (reason,)))
        show(cell, verdicts[-1], background(kit))
    incidents = (*unguarded(kit), *mended(notes), Incident("refused", reason))
    return Judgement(kit.versions, tuple(verdicts), incidents)


def background(kit: Kit) -> Background:
    """What the reports of an assignment need beside their verdicts."""
    page = kit.misconceptions.decode() if kit.misconceptions is not None else ""
    return Background(
        NO_SANDBOX if kit.isolation == "none" else "",
        parse_misconceptions(page),
        kit.misconceptions_url,
    )


def show(cell: NotebookNode, verdict: Verdict, background: Background) -> None:
    """One output takes the place of what the grade cell had: nbgrader reads the number, people read the report."""
    report = render(verdict, background)
    cell.execution_count = None
    cell.outputs = [new_output("execute_result", {"text/plain": repr(verdict.points), "text/html": report})]


def unguarded(kit: Kit) -> list[Incident]:
    """What is to be said where there was no sandbox."""
    return [Incident("unguarded", NO_SANDBOX)] if kit.isolation == "none" else []


def mended(notes: tuple[str, ...]) -> list[Incident]:
    """What is to be said of what the intake mended."""
    return [Incident("mended", note) for note in notes]
