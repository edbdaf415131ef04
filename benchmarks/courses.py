"""The courses of the bench: the same assignment for our judge and for stock nbgrader, and a class that differs."""

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from nbformat.v4 import new_code_cell

from syncpoint.course.folder import CONFIG, OF_STUDENTS, Course
from syncpoint.course.nbgrader_command import CommandFailed, quiet_nbgrader
from syncpoint.demo.sample_submission import SampleSubmission, reference_solutions

BEGIN, END = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
STOCK_CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = "stock"
c.Application.log_level = "ERROR"
"""
# Every notebook counts its own processor time, in the kernel: the work, without what it costs to get there.
COUNT = "import time\ncounted_from = time.process_time()"
SAY = "print('processor seconds:', time.process_time() - counted_from)"
SAID = re.compile(r"processor seconds: ([\d.e-]+)")


@dataclass(frozen=True)
class Classroom:
    """A released assignment in a folder of its own, and its class."""

    course: Course
    assignment: str

    @property
    def root(self) -> Path:
        """Where it lies."""
        return self.course.root

    def seat(self, number: int) -> None:
        """Start afresh with so many submissions, no two alike, and nothing graded."""
        for folder in (*OF_STUDENTS, ".syncpoint"):
            shutil.rmtree(self.root / folder, ignore_errors=True)
        shutil.copy(self.root / "released.db", self.root / "gradebook.db")
        solutions = reference_solutions(self.course, self.assignment)
        for index in range(1, number + 1):
            submission = SampleSubmission.released(self.course, self.assignment)
            for exercise, source in solutions.items():
                submission.cell(exercise).source = f"# Submission {index}\n{source}"
            for notebook in submission.notebooks.values():
                notebook.cells = [new_code_cell(COUNT), *notebook.cells, new_code_cell(SAY)]
            submission.write(self.root / "submitted" / f"student_{index:04}" / self.assignment)

    def students(self) -> list[str]:
        """Everybody who handed in."""
        return sorted(path.name for path in (self.root / "submitted").iterdir())

    def graded(self) -> list[Path]:
        """The graded notebooks.  Raises CommandFailed if any is missing."""
        found = sorted((self.root / "autograded").glob(f"*/{self.assignment}/*.ipynb"))
        handed_in = list((self.root / "submitted").glob(f"*/{self.assignment}/*.ipynb"))
        missing = len(handed_in) - len(found)
        if missing:
            raise CommandFailed(f"{missing} of {len(handed_in)} notebooks of {self.assignment} were not graded.")
        return found

    def finished(self) -> list[float]:
        """When each submission was done, as time.time() has it, in that order."""
        latest: dict[str, float] = {}
        for path in self.graded():
            student = path.parent.parent.name
            latest[student] = max(latest.get(student, 0.0), path.stat().st_mtime)
        return sorted(latest.values())

    def work(self) -> list[float]:
        """Processor seconds that each submission's kernels used: for its cells, and for what the tests asked of it."""
        seconds: dict[str, float] = {}
        for path in self.graded():
            student = path.parent.parent.name
            said = [
                float(number)
                for cell in json.loads(path.read_text())["cells"]
                for output in cell.get("outputs", ())
                for number in SAID.findall("".join(output.get("text", "")))
            ]
            seconds[student] = seconds.get(student, 0.0) + sum(said)
        return list(seconds.values())

    def cells(self) -> dict[str, list[str]]:
        """The code cells of the first submission that are not the judge's, by notebook."""
        paths = sorted((self.root / "submitted" / self.students()[0] / self.assignment).glob("*.ipynb"))
        return {
            path.stem: [
                "".join(cell["source"])
                for cell in json.loads(path.read_text())["cells"]
                if cell["cell_type"] == "code" and not _is_judged(cell["metadata"].get("nbgrader", {}))
            ]
            for path in paths
        }


def our_classroom(course: Course, assignment: str, folder: Path) -> Classroom:
    """A copy of the course, with the assignment released."""
    return _released(course.copy_to(folder), assignment)


def stock_classroom(course: Course, assignment: str, folder: Path) -> Classroom:
    """The same assignment for stock nbgrader: no judge, no sandbox, the hidden tests as asserts in the notebook."""
    source = folder / "source" / assignment
    shutil.copytree(course.source_folder(assignment), source)
    for path in source.glob("*.ipynb"):
        path.write_text(json.dumps(with_asserts(json.loads(path.read_text()))))
    (folder / CONFIG).write_text(STOCK_CONFIG)
    kernel = folder / "jupyter" / "kernels" / "python3"
    kernel.mkdir(parents=True)
    argv = [str(course.sandbox_spec(assignment).python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernel / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "engine", "language": "python"}))
    return _released(Course(folder), assignment)


def with_asserts(notebook: dict) -> dict:
    """The notebook's plain data with the asserts of ``check_x`` as the hidden tests of each grade cell ``test_x``."""
    sources = {_identity(cell): "".join(cell["source"]) for cell in notebook["cells"]}
    for cell in notebook["cells"]:
        check = sources.get(re.sub("^test_", "check_", _identity(cell)), "pass")
        visible, found, rest = "".join(cell["source"]).partition(BEGIN)
        if found:
            cell["source"] = f"{visible}{BEGIN}\n{check}\n{END}{rest.partition(END)[2]}"
    return notebook


def _released(course: Course, assignment: str) -> Classroom:
    quiet_nbgrader(course.root, "generate_assignment", assignment)
    shutil.move(course.root / "gradebook.db", course.root / "released.db")
    return Classroom(course, assignment)


def _identity(cell: dict) -> str:
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def _is_judged(data: dict) -> bool:
    return bool(data.get("grade") and not data.get("solution"))
