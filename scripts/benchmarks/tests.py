"""``python -m scripts.benchmarks.tests``: the time of each folder's tests in `make test`, from its report."""

from collections import defaultdict
from pathlib import Path
from typing import Annotated
from xml.etree import ElementTree

import typer

from syncpoint.cli.options import HERE, InCourse, in_one_line
from syncpoint.course.errors import CourseError
from syncpoint.course.folder import Course
from syncpoint.report.scores import console

from . import report
from .report import Sheet

PROVES = {
    "benchmarks": "the benchmarks read and publish what they measure",
    "check": "the notebook's self-check, release notes and submission",
    "collect": "downloads of eight platforms become submissions",
    "core": "course totals, results of exercises, messages to people",
    "course": "settings, assignments, notebooks, releases, the commands in the docs, install without a clone",
    "dashboard": "views and marking, without a browser",
    "demo": "the sample class",
    "engines": "adding an engine",
    "exports": "marks for platforms",
    "grading": "from a folder to the gradebook: nothing lost, nothing twice",
    "hub": "accounts and settings of the hub, without a hub",
    "judge": "verdicts, values, evidence, feedback's sentences",
    "lms": "roster and marks by LTI and by the APIs of Canvas and Moodle",
    "nbgrader_hooks": "nbgrader's own commands",
    "probe": "what the probe and the simulated device report",
    "records": "the gradebook: late work, groups, totals, the log of marks",
    "report": "feedback pages and summaries",
    "sandbox": "what student code cannot do, and limits",
    "translations": "catalogues and releases in three languages",
    "upkeep": "backup, prune, forget",
    "vet": "the bench of solutions and cheats itself",
    "viva": "questions about a student's own code",
    "watch": "the queue of submissions, on one machine and on Dask",
}
app = typer.Typer(add_completion=False)


def read(path: Path) -> tuple[list[dict[str, str]], float]:
    """Return a row for each folder of tests, the longest first, and the seconds from the first test to the last.

    Raises:
        CourseError: If the file is no report of pytest.
    """
    try:
        suite = next(ElementTree.parse(path).iter("testsuite"))
    except (OSError, StopIteration, ElementTree.ParseError) as problem:
        raise CourseError(f"{path} is no report of pytest: {problem}") from None
    seconds: dict[str, list[float]] = defaultdict(list)
    for case in suite.iter("testcase"):
        seconds[case.get("classname", "tests.?").split(".")[1]].append(float(case.get("time", 0)))
    whole = sum(map(sum, seconds.values()))
    rows = [
        {
            "tests/": folder,
            "tests": f"{len(times):,}",
            "minutes of one process": f"{sum(times) / 60:.1f}",
            "share": f"{100 * sum(times) / whole:.0f} %",
            "what it proves": PROVES.get(folder, ""),
        }
        for folder, times in sorted(seconds.items(), key=lambda item: -sum(item[1]))
    ]
    return rows, float(suite.get("time", 0))


@app.command()
def main(
    path: Annotated[Path, typer.Argument(help="The report that `make test` wrote.")] = Path("build/tests.xml"),
    publish: Annotated[bool, typer.Option("--publish", help=f"Also write the table into {report.PAGE}.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Show how long the tests of each folder took."""
    with in_one_line():
        rows, seconds = read(path)
        sheet = Sheet("What each minute of make test buys", rows)
        report.show_sheet(sheet, console())
        text = f"All tests together, three files at a time: {seconds / 60:.1f} minutes, without set-up and lint."
        report.publish_sheet(Course.around(folder) if publish else None, "make test", None, [sheet], text)


if __name__ == "__main__":
    app(prog_name="python -m scripts.benchmarks.tests")
