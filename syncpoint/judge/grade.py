"""The nbgrader preprocessor that stands where nbgrader's own Execute stood: has each notebook judged once."""

from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.converters import Autograde
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Enum, Float, Integer, Unicode

from ..engines.find import DEFAULT
from ..sandbox.world import Limits
from .again import Turns, judge_or_again
from .answer import Answer
from .assignment import AssignmentSettings
from .course import Course, CourseError
from .failures import NotJudged, bare
from .judging_process import JudgeDied, JudgingProcess
from .paper import Kit, Paper, Result, from_json, key, to_json
from .refusal import refuse
from .store import Store
from .unfinished import INTAKE

NOT_KEPT = "%s: the result could not be kept, and will be worked out again next time (%s); the points are not affected."


class GradeSubmission(NbGraderPreprocessor):
    """Runs a submission in the sandbox and replaces each grade cell's outputs with the judge's report and points."""

    engine = Unicode(
        DEFAULT,
        help="The engine of assignments that name none; its environment is .venv-<engine> in the course folder.",
    ).tag(config=True)
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
    judge_mib = Integer(1024, help="MiB of memory for the process that judges a submission, outside the sandbox.").tag(
        config=True
    )
    misconceptions_url = Unicode(
        "", help="Where students find docs/misconceptions.md, for a link in their feedback; empty: no link."
    ).tag(config=True)

    def engine_of(self, assignment: AssignmentSettings) -> str:
        """The name of an assignment's engine: from the command line, from the assignment, from the configuration."""
        return self.engine if assignment.engine is None or "engine" in self._on_command_line else assignment.engine

    def limits_of(self, assignment: AssignmentSettings) -> Limits:
        """The limits of an assignment, each from the same places."""
        return assignment.limit(self.limits(), self._on_command_line)

    @property
    def _on_command_line(self) -> set[str]:
        """The settings that were given there: they go before what stands in any file."""
        given, owner = set(), self.parent
        while owner is not None:
            for kind in type(self).__mro__:
                given |= set(getattr(owner, "cli_config", {}).get(kind.__name__, {}))
            owner = getattr(owner, "parent", None)
        return given

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
            judge_mib=self.judge_mib,
        )

    def check_engine(self, course: Course, assignment: str) -> None:
        """Raise CourseError if there is no such engine, or if its environment is missing."""
        engine = course.engine(self.engine_of(course.assignment(assignment)))
        python = course.engine_prefix(engine.name) / "bin" / "python"
        if not python.exists():
            raise CourseError(f"the engine's environment is missing ({python}): run `make setup`.")

    # --- nbgrader's call ----------------------------------------------------------------------------------------

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Judge one notebook, or take what is known of it.

        Leaves the judgement in the resources, and the key of the result; None for a notebook that cannot be run.
        """
        course = Course(Path.cwd())  # nbgrader converts with the course folder as working directory
        names = resources["nbgrader"]
        kit = Kit.of(course, names["assignment"], self)
        intake = nb.metadata.pop(INTAKE, {})
        notes, refused = tuple(intake.get("notes", ())), intake.get("refused", "")
        if refused:
            resources["syncpoint"], resources["syncpoint_result"] = refuse(kit, nb, notes, refused), None
            return nb, resources
        paper = Paper.of(names["notebook"], nb, notes, Path(resources["metadata"]["path"]), kit)
        name = key(kit, paper)
        result = None if self._afresh else Store(course.results).get(name)
        if result is None or not result.fits(nb):
            submission = f"{names['student']}/{names['assignment']}"
            try:
                result = self._judge(kit, paper, course, f"{names['assignment']} of {names['student']}")
            except JudgeDied:
                course.last.add(submission)
                raise
            course.last.remove(submission)
        result.apply(nb)
        # What is not kept has no name in the gradebook either: the next grading takes this notebook up again.
        resources["syncpoint"], resources["syncpoint_result"] = result.judgement, name if result.lasting else None
        return nb, resources

    def _judge(self, kit: Kit, paper: Paper, course: Course, whose: str) -> Result:
        """Have a notebook judged on this machine and keep the result for the next time.

        Raises NotJudged or JudgeDied.
        """
        process: JudgingProcess = self.parent.judging  # the exporter's: one for the whole run
        data, remark = judge_or_again(process, Turns(), to_json(kit), to_json(paper), kit.limits.judge_mib)
        answer = from_json(Answer, data)
        if answer.result is None:
            raise NotJudged(bare(answer.fault))
        for said in filter(None, (remark, *answer.result.remarks)):
            self.log.error("%s: %s", whose, said)
        try:
            Store(course.results).put(key(kit, paper), answer.result)
        except OSError as problem:
            self.log.error(NOT_KEPT, whose, problem)
        return answer.result

    @property
    def _afresh(self) -> bool:
        """Whether the operator asked for new runs.

        Looks at ``--force`` where it was written: formgrader's button forces nbgrader to take a graded submission up
        once more, and means no new run.
        """
        converter = getattr(self.parent, "parent", None)
        return isinstance(converter, Autograde) and any(
            converter.config[name].get("force", False) for name in ("BaseConverter", "Autograde")
        )
