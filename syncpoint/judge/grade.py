"""The nbgrader preprocessor that stands where nbgrader's own Execute stood: runs the notebook, judges, scores."""

import time
from pathlib import Path
from typing import Any, cast

from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Enum, Float, Integer, Unicode

from ..sandbox.world import Isolation, Limits, World
from .course import Course, CourseError
from .examination import GraderError, examine
from .report import Background, render
from .submission import SubmissionRun, is_autograded
from .unfinished import INTAKE
from .verdict import Cost, Incident, Judgement, Outcome, Verdict, Versions

KILLED = "%s of %s: the kernel was killed, and not by the judge or a limit of its own; the notebook is run once more."
NO_SANDBOX = "Graded without a sandbox: the operator switched it off (isolation = none)."


class GradeSubmission(NbGraderPreprocessor):
    """Runs a submission in the sandbox and replaces each grade cell's outputs with the judge's report and points."""

    engine = Unicode("mxnet", help="The engine: its environment is .venv-<engine> in the course folder.").tag(
        config=True
    )
    isolation = Enum(
        ["bubblewrap", "none"],
        "bubblewrap",
        help='How student code is kept apart. "none" runs it with your own rights: only if you trust everybody.',
    ).tag(config=True)
    cell_seconds = Float(30, help="Wall-clock seconds for one cell, and for all tests of one exercise.").tag(
        config=True
    )
    notebook_seconds = Float(300, help="Wall-clock seconds for one notebook.").tag(config=True)
    cpu_seconds = Float(1200, help="Seconds of processor time for one notebook, all its processes together.").tag(
        config=True
    )
    memory_mib = Integer(4096, help="MiB of memory for all processes of one submission.").tag(config=True)
    processes = Integer(256, help="Processes and threads of one submission.").tag(config=True)
    disk_mib = Integer(64, help="MiB that a submission may write.").tag(config=True)
    output_mib = Float(1, help="MiB of output of one cell.").tag(config=True)
    misconceptions_url = Unicode(
        "", help="Where students find docs/misconceptions.md, for a link in their feedback; empty: no link."
    ).tag(config=True)

    # --- the world ----------------------------------------------------------------------------------------------

    def limits(self) -> Limits:
        """The limits of the configuration."""
        return Limits(
            cell_seconds=self.cell_seconds,
            notebook_seconds=self.notebook_seconds,
            cpu_seconds=self.cpu_seconds,
            memory_mib=self.memory_mib,
            processes=self.processes,
            disk_mib=self.disk_mib,
            output_mib=self.output_mib,
        )

    def world(self, course: Course, assignment: str, files: tuple[Path, ...]) -> World:
        """The world of a submission to this assignment, with ``files`` beside the notebook."""
        return World(
            engine_prefix=course.engine_prefix(self.engine),
            engine=self.engine,
            files=files,
            scenarios=course.scenarios(assignment),
            limits=self.limits(),
            isolation=cast(Isolation, self.isolation),
        )

    def check_engine(self, course: Course) -> None:
        """Raise CourseError if the engine's environment is missing."""
        python = course.engine_prefix(self.engine) / "bin" / "python"
        if not python.exists():
            raise CourseError(f"the engine's environment is missing ({python}): run `make setup`.")

    # --- nbgrader's call ----------------------------------------------------------------------------------------

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Run and judge one notebook."""
        course = Course(Path.cwd())  # nbgrader converts with the course folder as working directory
        assignment = resources["nbgrader"]["assignment"]
        intake = nb.metadata.pop(INTAKE, {})
        incidents = [Incident("mended", note) for note in intake.get("notes", ())]
        refused = intake.get("refused", "")
        if refused:
            verdicts, cost, flags = self._refuse(nb, course, refused), None, []
            incidents.append(Incident("refused", refused))
        else:
            files = _files_beside(Path(resources["metadata"]["path"]))
            world = self.world(course, assignment, files)
            run = SubmissionRun(nb, world, list(incidents))
            verdicts, cost = self._judge(run, course, assignment)
            if run.kernel.was_killed:
                # The system or a person may have done it.  If student code did, it does it again.
                self.log.error(KILLED, assignment, resources["nbgrader"]["student"])
                run = SubmissionRun(nb, world, list(incidents))
                verdicts, cost = self._judge(run, course, assignment)
            incidents, flags = run.incidents, run.flags
        if self.isolation == "none":
            incidents.insert(0, Incident("unguarded", NO_SANDBOX))
        versions = Versions(course.engine_version(self.engine), course.graders_version(assignment))
        resources["syncpoint"] = Judgement(versions, tuple(verdicts), tuple(incidents), tuple(flags), cost)
        return nb, resources

    def judge_cell(self, run: SubmissionRun, course: Course, assignment: str, cell: NotebookNode) -> Verdict:
        """Judge the exercise of one grade cell, and put the score and the report into the cell."""
        verdict = self._examine(run, course.grader(assignment, cell.metadata.nbgrader.grade_id), cell)
        self._show(cell, course, verdict)
        return verdict

    def _judge(self, run: SubmissionRun, course: Course, assignment: str) -> tuple[list[Verdict], Cost]:
        """Judge every exercise of a notebook.

        Raises KernelGone if the kernel cannot start: nbgrader then lists the student as not graded and goes on, and
        the next run takes this student up again.  A score of 0 would be a lie.
        """
        began = time.monotonic()
        verdicts: list[Verdict] = []
        with run:
            for index, cell in enumerate(run.notebook.cells):
                run.advance_to(index)
                if is_autograded(cell):
                    verdicts.append(self.judge_cell(run, course, assignment, cell))
            run.advance_to(len(run.notebook.cells))
        kernel = run.kernel
        cost = Cost(
            kernel.start_seconds,
            kernel.busy_seconds,
            kernel.stop_seconds,
            time.monotonic() - began,
            kernel.peak_bytes / 2**20,
        )
        return verdicts, cost

    def _examine(self, run: SubmissionRun, module: Path, cell: NotebookNode) -> Verdict:
        """Judge one exercise.  A grader that cannot be used gives no points and says so, to everybody."""
        outcomes: list[Outcome] = []
        notes = [incident.sentence for incident in run.incidents]
        try:
            outcomes = examine(module, run.student())
        except GraderError as problem:
            self.log.error("%s", problem)
            notes.append("The tests of this exercise could not be run; this is not your fault. Tell your instructor.")
        return Verdict(module.stem, float(cell.metadata.nbgrader.points), tuple(outcomes), tuple(notes))

    def _refuse(self, nb: NotebookNode, course: Course, reason: str) -> list[Verdict]:
        verdicts = []
        for cell in filter(is_autograded, nb.cells):
            nbgrader = cell.metadata.nbgrader
            verdicts.append(Verdict(nbgrader.grade_id, float(nbgrader.points), (), (reason,)))
            self._show(cell, course, verdicts[-1])
        return verdicts

    def background(self, course: Course) -> Background:
        """What the reports of this course need beside their verdicts."""
        banner = NO_SANDBOX if self.isolation == "none" else ""
        return Background(banner, course.misconceptions(), self.misconceptions_url)

    def _show(self, cell: NotebookNode, course: Course, verdict: Verdict) -> None:
        """One output: nbgrader reads the number, people read the report."""
        report = render(verdict, self.background(course))
        cell.execution_count = None
        cell.outputs = [new_output("execute_result", {"text/plain": repr(verdict.points), "text/html": report})]


def _files_beside(folder: Path) -> tuple[Path, ...]:
    """The files that lie beside the notebook in nbgrader's copy of the submission: what belongings.py let through."""
    return tuple(path.absolute() for path in sorted(folder.iterdir()) if path.suffix != ".ipynb")
