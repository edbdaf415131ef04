"""The judge: a spec and a job go in, a result comes out; no course folder, gradebook or student's name."""

import multiprocessing.util
import os
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from nbformat import NotebookNode

from ..core.limits import MIB
from ..core.messages import Message
from ..core.results import Cost, ExerciseResult, Incident, Note, NotebookResult, Status, TestResult
from ..engines.find import EngineError
from ..sandbox.folder import PrivateFolder
from ..sandbox.judging_lock import JudgingLock
from ..sandbox.spec import SandboxSpec, engine_prefix
from .cells import is_autograded
from .errors import EngineDiffers, GraderError
from .faults import LOST
from .incident_log import IncidentLog
from .job import GradingSpec, NotebookJob, Result
from .judge_version import environment, judge_digest
from .notebook_run import NotebookRun
from .test_runner import run_tests

OTHER_JUDGE = "another version of Syncpoint is installed on this machine: install the one that the course has."
OTHER_ENGINE = (
    "{prefix} is not the environment that the course has ({differences}): make it from the same requirements."
)


def grade_notebook(spec: GradingSpec, job: NotebookJob, engines: Path) -> Result:
    """Run and judge one notebook: the output of student code, and the results of the tests.

    Raises:
        EngineDiffers: If this machine's engine or judge differs from the spec's.
        OSError: If this machine lacks something, such as space on the disk.
        DeadKernelError: If the kernel cannot start: then no student code ran, and a score of 0 would be wrong.
    """
    _check_machine(spec, engines)
    grader, sandbox_spec = ExerciseGrader.of(spec), spec.sandbox_spec(engines, job.files)
    lock = JudgingLock("kernels", longest=2 * spec.limits.notebook_seconds)
    warnings: list[Message] = []
    with lock.shared():
        run, notebook_result, notebook = _judge(grader, sandbox_spec, job)
    if run.lost:
        # The system, a person, or another program may have killed it. If student code did, it will do so again.
        warnings.append(Message(run.lost))
        grader.problems.clear()
        with lock.exclusive():
            run, notebook_result, notebook = _judge(grader, sandbox_spec, job)
        if run.lost:
            warnings.append(Message(f"{run.lost}_again"))
    lost = run.lost not in ("", LOST["crashed"])  # a crash that happens twice is caused by student code
    broke = [
        Message.of("test_broke", exercise=exercise.name, test=test.name)
        for exercise in notebook_result.exercises
        for test in exercise.tests
        if test.status is Status.ERROR
    ]
    cacheable = not (lost or grader.problems or broke)
    return Result.of(notebook, notebook_result, (*warnings, *grader.problems, *broke), cacheable)


@dataclass
class ExerciseGrader:
    """Judges the grade cells of one assignment."""

    spec: GradingSpec
    folder: Path  # holds grader_tests/ as the course does
    problems: list[Message] = field(default_factory=list)  # for the person who grades

    @classmethod
    def of(cls, spec: GradingSpec) -> "ExerciseGrader":
        """Create a grader with the spec's modules, in a folder of this process."""
        return cls(spec, _folder_of_graders(spec))

    def judge_cell(self, run: NotebookRun, cell: NotebookNode, variant: str = "") -> ExerciseResult:
        """Judge the exercise of one grade cell, with the student's values.

        A grader that cannot be used gives no points, and the report says so.
        """
        results: list[TestResult] = []
        student = run.student().using(self.spec.interface)
        marks = cell.metadata.nbgrader
        notes = run.notes(marks.grade_id)
        module = self.folder / "grader_tests" / self.spec.assignment / f"{marks.grade_id}.py"
        try:
            for test in run_tests(module, student, variant):
                results.append(replace(test, detail=self._as_in_the_course(test.detail)))
            if (why := run.kernel.cut_off) and not run.restarts.without_device:
                notes.append(Message.of("device_cut_off_in_tests", why=why))
        except GraderError as problem:
            self.problems.append(problem.message.changed(self._as_in_the_course))
            notes.append(Message("cannot_test"))
        return ExerciseResult(marks.grade_id, float(marks.points), tuple(results), tuple(notes))

    def _as_in_the_course(self, text: str) -> str:
        """Return the text with paths as in the course: pytest writes them relative to the root or its own folder."""
        for folder in (os.path.relpath(self.folder), str(self.folder)):
            text = text.replace(f"{folder}/", "")
        return text


def _judge(
    grader: ExerciseGrader, sandbox_spec: SandboxSpec, job: NotebookJob
) -> tuple[NotebookRun, NotebookResult, NotebookNode]:
    began = time.monotonic()
    notebook = job.as_notebook()
    run = NotebookRun(notebook, sandbox_spec, IncidentLog(repaired(job.notes), list(job.notes)))
    exercises: list[ExerciseResult] = []
    with run:
        for index, cell in enumerate(notebook.cells):
            run.advance_to(index)
            if is_autograded(cell):
                exercises.append(grader.judge_cell(run, cell, job.variant))
        run.advance_to(len(notebook.cells))
    cost = Cost(
        sum(kernel.start_seconds for kernel in run.kernels),
        sum(kernel.busy_seconds for kernel in run.kernels),
        sum(kernel.stop_seconds for kernel in run.kernels),
        time.monotonic() - began,
        max(kernel.peak_bytes for kernel in run.kernels) / MIB,
    )
    incidents = (*unguarded(grader.spec.isolation), *run.incidents)
    return run, NotebookResult(grader.spec.versions, tuple(exercises), incidents, tuple(run.acts), cost), notebook


def unguarded(isolation: str) -> list[Incident]:
    """Return the note for a run without a sandbox."""
    return [Incident("unguarded", Message("unguarded"))] if isolation == "none" else []


def repaired(notes: Iterable[Note]) -> list[Incident]:
    """Return the notes on the intake's repairs."""
    return [Incident("repaired", note.message) for note in notes]


def _check_machine(spec: GradingSpec, engines: Path) -> None:
    try:
        same = judge_digest(spec.engine) == spec.judge
    except EngineError as problem:
        raise EngineDiffers(f"on this machine {problem}") from None
    if not same:
        raise EngineDiffers(OTHER_JUDGE)
    prefix = engine_prefix(engines, spec.engine)
    here, there = set(environment(prefix)), set(spec.environment)
    if here != there:
        missing, foreign = sorted(there - here)[:3], sorted(here - there)[:3]
        differences = [f"here {', '.join(foreign) or 'nothing'}", f"there {', '.join(missing) or 'nothing'}"]
        raise EngineDiffers(OTHER_ENGINE.format(prefix=prefix, differences="; ".join(differences)))


_folders: dict[str, PrivateFolder] = {}
_making = threading.Lock()


def _folder_of_graders(spec: GradingSpec) -> Path:
    """Return a folder with this spec's graders, laid out as in the course; it is removed with this process.

    Python keeps what it has imported from a path, so a path never holds two versions of a module.
    """
    with _making:
        folder = _folders.get(spec.digest)
        if folder is None or not folder.path.is_dir():
            folder = PrivateFolder()
            # Unlike atexit's functions, these also run at the end of a multiprocessing worker.
            multiprocessing.util.Finalize(None, folder.remove, exitpriority=10)
            for name, content in spec.graders:
                path = folder.path / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            _folders[spec.digest] = folder
        return folder.path
