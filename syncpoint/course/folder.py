"""The course folder and its conventions: which module judges which cell, and where everything lies."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from jupyter_core.paths import jupyter_config_path
from traitlets import TraitError
from traitlets.config import Config, PyFileConfigLoader

from ..core.names import some
from ..core.results import Versions
from ..core.settings import Settings
from ..engines.find import Engine, EngineError, find
from ..judge.fingerprint import environment, judge_digest
from ..judge.job import GradingSpec, digest_of, sorted_files
from ..sandbox.spec import SandboxSpec, engine_prefix, read_files
from .assignment import FILE, AssignmentSettings, read_assignment
from .deferred import Last
from .errors import CourseError
from .gradebook_setting import with_gradebook
from .handed_in import Rules, read_rules
from .released import Release
from .settings import read_settings
from .source import Source
from .times import Clock, UnreadableTime, clock_of

CONFIG = "nbgrader_config.py"
SCENARIOS = "scenarios.py"  # beside the graders, and none of them
OF_STUDENTS = ("submitted", "autograded", "feedback")  # nbgrader's folders with one for each student
SIMILARITY_REPORT = "report"  # of the tool that compares what students wrote
BANK = "bank"  # beside the graders, in a folder of its own


@dataclass(frozen=True)
class Course:
    """A course folder: the one that holds nbgrader_config.py."""

    root: Path

    @classmethod
    def around(cls, path: Path) -> "Course":
        """Return the course that ``path`` lies in.

        Raises:
            CourseError: If there is none.
        """
        whole = Path(os.path.abspath(path))  # what is typed in is not above ../another-course
        for folder in (whole, *whole.parents):
            if (folder / CONFIG).is_file():
                return cls(folder)
        raise CourseError(f"{path} is not in a course folder: no {CONFIG} here or above. Change to your course folder.")

    @property
    def settings_files(self) -> list[Path]:
        """Where nbgrader's commands, run in this course, find settings; what stands in the last file counts most."""
        places = [*reversed(jupyter_config_path()), str(self.root)]
        return [path for path in (Path(place, CONFIG) for place in places) if path.is_file()]

    def settings(self) -> Config:
        """The configuration: the course's, over the one of whoever grades and that of the machine."""
        config = Config()
        for path in self.settings_files:
            config.merge(PyFileConfigLoader(path.name, path=str(path.parent)).load_config())
        return config

    @property
    def clock(self) -> Clock:
        """Reads and shows times in the time zone that the configuration names.

        Raises:
            CourseError: If that is not a time zone.
        """
        try:
            return clock_of(self.settings())
        except UnreadableTime as problem:
            raise CourseError(str(problem)) from None

    @property
    def id(self) -> str:
        """What people call it: nbgrader's ``course_id``, else the name of its folder."""
        return str(self.settings().CourseDirectory.course_id or "") or self.root.name

    def sandbox_spec(self, assignment: str) -> SandboxSpec:
        """In what sandbox submissions of this assignment run, with the limits of the configuration."""
        return self.spec(assignment).sandbox_spec(self.root)

    def spec(self, assignment: str, settings: Settings | None = None) -> GradingSpec:
        """Return all that judges an assignment as it is in the course folder now.

        Args:
            assignment: Its name.
            settings: Those of configuration and command line, unless only the former is meant.

        Raises:
            CourseError: If the course folder, or what it says of the assignment, cannot be used.
        """
        chosen = self.settings_of(assignment, settings)
        engine = self.engine(chosen.engine)
        shared = ((path.name, path) for path in (self.root / "grader_tests").glob("*.py"))
        own = ((f"{assignment}/{name}", path) for name, path in self.modules(assignment).items())
        graders = sorted_files((f"grader_tests/{name}", path.read_bytes()) for name, path in (*shared, *own))
        path = self.scenarios(assignment)
        scenarios = path.read_bytes() if path is not None else None
        installed = environment(self.engine_prefix(engine.name))
        package = engine.environment.check
        version = next((name for name in installed if name.startswith(f"{package} ")), engine.name)
        return GradingSpec(
            assignment=assignment,
            engine=engine.name,
            interface=self.assignment(assignment).interface or "",
            environment=installed,
            limits=chosen.limits,
            isolation=chosen.isolation,
            graders=graders,
            scenarios=scenarios,
            files=sorted_files(read_files(self.source(assignment).files())),
            judge=judge_digest(engine.name),
            versions=Versions(version, digest_of((*graders, ("scenarios", scenarios or b"")))[:12]),
        )

    def assignment(self, assignment: str) -> AssignmentSettings:
        """Return what an assignment says of itself.

        Raises:
            CourseError: If the course folder, or what it says of the assignment, cannot be used.
        """
        try:
            return read_assignment(self.graders_folder(assignment) / FILE)
        except ValueError as problem:
            raise CourseError(str(problem)) from None

    def settings_of(self, assignment: str, settings: Settings | None = None) -> Settings:
        """Return what holds for an assignment: command line, its own words, configuration, each before the next.

        Args:
            assignment: Its name.
            settings: Those of configuration and command line, unless only the former is meant.

        Raises:
            CourseError: If the course folder, or what it says of the assignment, cannot be used.
        """
        return self.assignment(assignment).over(read_settings(self.settings()) if settings is None else settings)

    def rules(self, assignment: str) -> Rules:
        """Return what holds for work that is graded when it is handed in.

        Raises:
            CourseError: If the course folder, or what it says of the assignment, cannot be used.
        """
        try:
            return read_rules(self.settings(), self.assignment(assignment).handed_in)
        except TraitError as problem:
            raise CourseError(f"c.HandedIn in nbgrader_config.py: {problem}") from None

    def engine(self, name: str) -> Engine:
        """Return the engine of that name.

        Raises:
            CourseError: If the course folder, or what it says of the assignment, cannot be used.
        """
        try:
            return find(name)
        except EngineError as problem:
            raise CourseError(str(problem)) from None

    def engines(self) -> list[Engine]:
        """Return the engines of the assignments, with the settings of the configuration.

        Raises:
            CourseError: If the course folder, or what it says of the assignment, cannot be used.
        """
        settings = read_settings(self.settings())
        names = {self.settings_of(assignment, settings).engine for assignment in self.assignments()}
        return [self.engine(name) for name in sorted(names or {settings.engine})]

    @property
    def results(self) -> Path:
        """Where results are kept for the next run; see :mod:`syncpoint.judge.store`."""
        return self.root / ".syncpoint" / "results"

    @property
    def similarity(self) -> Path:
        """Who wrote alike: a folder for each assignment, which holds what was compared and the tool's report."""
        return self.root / ".syncpoint" / "similarity"

    @property
    def last(self) -> Last:
        """The submissions that are taken last."""
        return Last(self.root / ".syncpoint" / "last")

    def assignments(self) -> list[str]:
        """The names of the assignments: every folder of source/ that holds a notebook."""
        return sorted({path.parent.name for path in (self.root / "source").glob("*/*.ipynb")})

    def check_assignment(self, assignment: str) -> None:
        """Raise CourseError if there is no such assignment."""
        if assignment not in self.assignments():
            known = some(self.assignments()) or "none"
            raise CourseError(f"the course has no assignment {assignment!r}; it has {known}.")

    def bank(self, assignment: str) -> Path:
        """Where an assignment's solutions, cheats and sample class lie."""
        return self.graders_folder(assignment) / BANK

    def source(self, assignment: str) -> Source:
        """The instructor's notebooks of an assignment."""
        return Source(self.root / "source" / assignment)

    def release(self, assignment: str) -> Release:
        """The released notebooks of an assignment."""
        return Release(self.root / "release" / assignment)

    def grader(self, assignment: str, exercise: str) -> Path:
        """The module that judges the grade cell ``exercise``; one of its own, where there is none."""
        name = f"{exercise}.py"
        return self.modules(assignment).get(name, self.graders_folder(assignment) / name)

    def graders_folder(self, assignment: str) -> Path:
        """Where an assignment's own modules lie that judge; what all assignments share lies above it."""
        return self.root / "grader_tests" / assignment

    def grader_folders(self, assignment: str) -> list[Path]:
        """Return where all modules lie that judge an assignment: in the folder of another, if it says so, and its own.

        Raises:
            CourseError: If assignment.toml names one that is not there.
        """
        own, shared = self.graders_folder(assignment), self.assignment(assignment).graders
        if not shared:
            return [own]
        if not self.graders_folder(shared).is_dir():
            raise CourseError(f"{own / FILE}: graders: there is no {self.graders_folder(shared)}.")
        return [self.graders_folder(shared), own]

    def modules(self, assignment: str, part: str = "") -> dict[str, Path]:
        """Return the modules that judge an assignment, its own before those of the same name that it shares.

        Args:
            assignment: Its name.
            part: A folder below.

        Returns:
            Their paths, by the names of their files.  A conftest.py is not shared.

        Raises:
            CourseError: If assignment.toml names an assignment that is not there.
        """
        *shared, own = (folder / part for folder in self.grader_folders(assignment))
        found = {path.name: path for folder in shared for path in folder.glob("*.py") if path.name != "conftest.py"}
        found |= {path.name: path for path in own.glob("*.py")}
        found.pop(SCENARIOS, None)
        return found

    def graders(self, assignment: str) -> list[Path]:
        """All grader modules of an assignment, with those that it shares."""
        return [path for name, path in sorted(self.modules(assignment).items()) if name.startswith("test_")]

    def copy_to(self, folder: Path) -> "Course":
        """Return a course in ``folder``, which must be new: all that releases and grades, and a gradebook of its own.

        The engines and the banks are linked.
        """
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
        """The page that the marks of the graders lead to."""
        return self.root / "docs" / "misconceptions.md"

    def scenarios(self, assignment: str) -> Path | None:
        """Find the module of named scenarios that runs in the student's kernel.

        Returns:
            Its path, or None if the assignment has none.

        Raises:
            CourseError: If assignment.toml names one that is not there.
        """
        shared = self.assignment(assignment).scenarios
        path = self.graders_folder(shared or assignment) / SCENARIOS
        if shared and not path.is_file():
            raise CourseError(f"{self.graders_folder(assignment) / FILE}: scenarios: there is no {path}.")
        return path if path.is_file() else None

    def engine_prefix(self, engine: str) -> Path:
        """The engine's Python environment."""
        return engine_prefix(self.root, engine)

    def check_engine(self, name: str) -> None:
        """Raise CourseError if there is no such engine, or if its environment is missing."""
        python = self.engine_prefix(self.engine(name).name) / "bin" / "python"
        if not python.exists():
            raise CourseError(f"the engine's environment is missing ({python}): run `make setup`.")

    def check_graders(self, assignment: str) -> None:
        """Every grade cell has a module and every module a cell.

        Raises:
            CourseError: Naming both sides.
        """
        cells = self.source(assignment).exercises()
        modules = {path.stem: path for path in self.graders(assignment)}
        problems = [
            f"the grade cell {cell} of {notebook}.ipynb has no grader module {self.grader(assignment, cell)}"
            for cell, notebook in cells.items()
            if cell not in modules
        ]
        problems += [
            f"the grader module {path} has no grade cell {name} in {self.source(assignment).folder}"
            for name, path in modules.items()
            if name not in cells and path.parent == self.graders_folder(assignment)
        ]
        if problems:
            raise CourseError("; ".join(problems) + ". Write what is missing, or remove or rename the other.")
