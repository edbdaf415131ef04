"""Takes the pictures of feedback for docs/images/: two of the bank's wrong solutions, judged, and their reports."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "helpers"))

from browser import running_browser  # noqa: E402

from syncpoint.core.results import ExerciseResult  # noqa: E402
from syncpoint.course.folder import Course  # noqa: E402
from syncpoint.judge.grade_notebook import ExerciseGrader  # noqa: E402
from syncpoint.judge.notebook_run import NotebookRun  # noqa: E402
from syncpoint.report.background import Background  # noqa: E402
from syncpoint.report.exercise import render  # noqa: E402
from syncpoint.report.misconceptions_page import read_misconceptions  # noqa: E402
from syncpoint.vet.trial import notebook_for  # noqa: E402

IMAGES = ROOT / "docs" / "images"
WIDTH = 760
DARK = "html{color-scheme:dark} body{background:#14181e;color:#e6e6e6}"


def main(
    into: Annotated[Path, typer.Option(help="The folder of the pictures.", file_okay=False)] = IMAGES,
) -> None:
    """Take the pictures of feedback for docs/images/, of two wrong solutions of the bank."""
    course = Course(ROOT)
    prints = judged(course, "torch_async", "queue_work", "13_bad_prints")
    waits = judged(course, "multi_gpu", "train_batch", "15_bad_waits_between_devices")
    explained = Background("", read_misconceptions(course.misconceptions_page))
    with running_browser() as browser:
        take(browser, render(prints, explained), into / "feedback.png")
        take(browser, render(prints, explained), into / "feedback_dark.png", DARK)
        take(browser, render(waits), into / "timeline-feedback.png")


def judged(course: Course, assignment: str, exercise: str, solution: str) -> ExerciseResult:
    """Return what the grader says of a solution of the bank."""
    source = course.source(assignment)
    reference = source.notebook(source.notebook_with(f"test_{exercise}"))
    code = (course.graders(assignment).bank / exercise / f"{solution}.py").read_text(encoding="utf-8")
    notebook, place = notebook_for(reference, exercise, code)
    spec = course.spec(assignment)
    with NotebookRun(notebook, spec.sandbox_spec(ROOT)) as run:
        run.advance_to(place)
        return ExerciseGrader.of(spec).judge_cell(run, notebook.cells[place]).with_words(spec.words(f"test_{exercise}"))


def take(browser: Browser, report: str, path: Path, style: str = "") -> None:
    """Take a picture of a report, with the sections about misconceptions open."""
    page = browser.new_page(viewport={"width": WIDTH, "height": 600})
    page.set_content(f"<style>body{{margin:1em}} {style}</style>{report}")
    page.locator("details").evaluate_all("all => all.forEach(one => one.open = one.querySelector('pre') !== null)")
    page.locator("body > div").screenshot(path=path)
    page.close()
    print(path)


if __name__ == "__main__":
    typer.run(main)
