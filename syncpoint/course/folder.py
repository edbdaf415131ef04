"""The course folder and its conventions: the module for each cell, and the place of each file."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from jupyter_core.paths import jupyter_config_path
from traitlets.config import Config, PyFileConfigLoader

from ..core.names import some
from ..core.results import Versions
from ..core.settings import Settings
from ..engines.find import Engine, EngineError, find
from ..judge.job import GradingSpec, digest_of, sorted_files
from ..judge.judge_version import environment, judge_digest
from ..sandbox.spec import SandboxSpec, engine_prefix, read_files
from .errors import CourseError, UnreadableTime
from .gradebook_setting import with_gradebook
from .graders import BANK, Graders
from .on_submission import Rules, read_rules
from .postponed import Postponed
from .released_notebooks import Release
from .settings import read_settings
from .source import AssignmentSource
from .times import Clock, clock_of

CONFIG = "nbgrader_config.py"
STATE_FOLDER = ".syncpoint"  # in a course: results, tries, keys and locks of these programs
OF_STUDENTS = ("submitted", "autograded", "feedback", "variants")  # folders with a subfolder for each student
SIMILARITY_REPORT = "report"  # of the tool that compares students' code


@dataclass(frozen=True)
class Course:
    """A course folder, which contains nbgrader_config.py."""

    root: Path

    @classmethod
    def around(cls, path: Path) -> "Course":
        whole = Path(os.path.abspath(path))  # relative to the typed path, ../another-course is not above it
        for folder in (whole, *whole.parents):
            if (folder / CONFIG).is_file():
                return cls(folder)
        raise CourseError(
            f"{path} is not in a course folder: there is no {CONFIG} here or above. Change to your course folder."
        )

    @property
    def settings_files(self) -> list[Path]:
        """Return the files in which nbgrader's commands in this course find settings; the last file has precedence."""
        places = [*reversed(jupyter_config_path()), str(self.root)]
        return [path for path in (Path(place, CONFIG) for place in places) if path.is_file()]

    def settings(self) -> Config:
        """Return the configuration: the course's overrides the user's, which overrides the machine's."""
        config = Config()
        for path in self.settings_files:
            config.merge(PyFileConfigLoader(path.name, path=str(path.parent)).load_config())
        return config

    @property
    def clock(self) -> Clock:
        """Reads and shows times in the configured time zone. Raises CourseError if there is no such zone."""
        try:
            return clock_of(self.settings())
        except UnreadableTime as problem:
            raise CourseError(str(problem)) from None

    @property
    def id(self) -> str:
        """The course's name: nbgrader's ``course_id``, else the name of its folder."""
        return str(self.settings().CourseDirectory.course_id or "") or self.root.name

    def sandbox_spec(self, assignment: str) -> SandboxSpec:
        """Return the sandbox for submissions of this assignment, with the configuration's limits."""
        return self.spec(assignment).sandbox_spec(self.root)

    def spec(self, assignment: str, settings: Settings | None = None) -> GradingSpec:
        """Return everything that judges an assignment now; ``settings`` are of configuration and command line."""
        chosen, judging = self.settings_of(assignment, settings), self.graders(assignment)
        engine = self.engine(chosen.engine)
        shared = ((path.name, path) for path in (self.root / "grader_tests").glob("*.py"))
        own = ((f"{assignment}/{name}", path) for name, path in judging.modules().items())
        graders = sorted_files((f"grader_tests/{name}", path.read_bytes()) for name, path in (*shared, *own))
        path = judging.scenarios()
        scenarios = path.read_bytes() if path is not None else None
        installed = environment(self.engine_prefix(engine.name))
        package = engine.environment.check
        version = next((name for name in installed if name.startswith(f"{package} ")), engine.name)
        return GradingSpec(
            assignment=assignment,
            engine=engine.name,
            interface=judging.settings().interface or "",
            environment=installed,
            limits=chosen.limits,
            isolation=chosen.isolation,
            graders=graders,
            scenarios=scenarios,
            files=sorted_files(read_files(self.source(assignment).files())),
            judge=judge_digest(engine.name),
            versions=Versions(version, digest_of((*graders, ("scenarios", scenarios or b"")))[:12]),
        )

    def settings_of(self, assignment: str, settings: Settings | None = None) -> Settings:
        """Return an assignment's settings: command line first, then its own file, then the configuration."""
        return (
            self.graders(assignment).settings().over(read_settings(self.settings()) if settings is None else settings)
        )

    def rules(self, assignment: str) -> Rules:
        """Return the rules for work that is graded on submission, or raise CourseError."""
        return read_rules(self.settings(), self.graders(assignment).settings().on_submission)

    def engine(self, name: str) -> Engine:
        """Return the engine of that name, or raise CourseError."""
        try:
            return find(name)
        except EngineError as problem:
            raise CourseError(str(problem)) from None

    def engines(self) -> list[Engine]:
        """Return the engines of the assignments, with the settings of the configuration."""
        settings = read_settings(self.settings())
        names = {self.settings_of(assignment, settings).engine for assignment in self.assignments()}
        return [self.engine(name) for name in sorted(names or {settings.engine})]

    @property
    def state(self) -> Path:
        """The folder for everything that these programs keep outside the gradebook."""
        return self.root / STATE_FOLDER

    @property
    def results(self) -> Path:
        """The store of results for the next run; see :mod:`syncpoint.judge.result_store`."""
        return self.state / "results"

    @property
    def similarity(self) -> Path:
        """The similarity reports: a folder for each assignment, with the compared files and the tool's report."""
        return self.state / "similarity"

    @property
    def postponed(self) -> Postponed:
        """The submissions to grade last."""
        return Postponed(self.state / "last")

    def assignments(self) -> list[str]:
        """The names of the assignments: all folders of source/ with a notebook."""
        return sorted({path.parent.name for path in (self.root / "source").glob("*/*.ipynb")})

    def check_assignment(self, assignment: str) -> None:
        """Raise CourseError if there is no such assignment."""
        if assignment not in self.assignments():
            known = some(self.assignments()) or "none"
            raise CourseError(f"the course has no assignment {assignment!r}: it has {known}.")

    def source(self, assignment: str) -> AssignmentSource:
        return AssignmentSource(self.root / "source" / assignment)

    def release(self, assignment: str) -> Release:
        return Release(self.root / "release" / assignment)

    def graders(self, assignment: str) -> Graders:
        return Graders(self.root / "grader_tests" / assignment)

    def copy_to(self, folder: Path) -> "Course":
        """Return a copy in the new ``folder``, with its own gradebook, and with engines and banks linked."""
        folder.mkdir(parents=True)
        without_bank = shutil.ignore_patterns(BANK)
        for name in ("source", "grader_tests", "docs", "locale"):
            if (self.root / name).is_dir():
                shutil.copytree(
                    self.root / name, folder / name, ignore=without_bank if name == "grader_tests" else None
                )
        for bank in self.root.glob(f"grader_tests/*/{BANK}"):
            (folder / bank.relative_to(self.root)).symlink_to(bank)
        (folder / CONFIG).write_text(with_gradebook((self.root / CONFIG).read_text()))
        for engine in self.root.glob(".venv-*"):
            (folder / engine.name).symlink_to(engine)
        return Course(folder)

    @property
    def misconceptions_page(self) -> Path:
        return self.root / "docs" / "students" / "misconceptions.md"

    def engine_prefix(self, engine: str) -> Path:
        """The engine's Python environment."""
        return engine_prefix(self.root, engine)

    def check_engine(self, name: str) -> None:
        """Raise CourseError if there is no such engine, or if its environment is missing."""
        python = self.engine_prefix(self.engine(name).name) / "bin" / "python"
        if not python.exists():
            raise CourseError(f"the engine's environment is missing ({python}): run `syncpoint engine install {name}`.")
