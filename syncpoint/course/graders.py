"""The folder with an assignment's graders: ``grader_tests/<assignment>/``, with modules, scenarios and bank."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from .assignment import FILE, AssignmentSettings, read_assignment
from .errors import CourseError
from .source import AssignmentSource

SCENARIOS = "scenarios.py"  # next to the graders, but not a grader
BANK = "bank"  # next to the graders, in its own folder
PROMISES = "promises.toml"


@dataclass(frozen=True)
class Graders:
    """Everything that judges one assignment; files above its folder are shared by all assignments."""

    folder: Path

    def settings(self) -> AssignmentSettings:
        try:
            return read_assignment(self.folder / FILE)
        except ValueError as problem:
            raise CourseError(str(problem)) from None

    @property
    def bank(self) -> Path:
        """The folder with the assignment's solutions, cheats and sample class."""
        return self.folder / BANK

    def promises(self) -> dict[str, list[str]]:
        """Return the promises of each exercise's text, counted from 1, shared ones too, or raise CourseError."""
        found: dict[str, list[str]] = {}
        for path in [folder / PROMISES for folder in self.folders()]:
            try:
                found |= tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
            except (OSError, ValueError) as problem:
                raise CourseError(f"{path} cannot be read ({problem}).") from None
            for exercise, sentences in found.items():
                if not isinstance(sentences, list) or not all(isinstance(one, str) for one in sentences):
                    raise CourseError(f"{path}: {exercise}: write a list of sentences.")
        return found

    def folders(self) -> list[Path]:
        """Return the folders of all modules, shared ones first. Raises CourseError for an unknown assignment."""
        shared = self.settings().graders
        if not shared:
            return [self.folder]
        other = self.folder.with_name(shared)
        if not other.is_dir():
            raise CourseError(f"{self.folder / FILE}: graders: there is no {other}.")
        return [other, self.folder]

    def modules(self, part: str = "") -> dict[str, Path]:
        """Return the modules by file name: the assignment's own override shared ones. A conftest.py is not shared."""
        *shared, own = (folder / part for folder in self.folders())
        found = {path.name: path for folder in shared for path in folder.glob("*.py") if path.name != "conftest.py"}
        found |= {path.name: path for path in own.glob("*.py")}
        found.pop(SCENARIOS, None)
        return found

    def module(self, exercise: str) -> Path:
        """Return the module for the grade cell ``exercise``; if there is none, the place where it belongs."""
        name = f"{exercise}.py"
        return self.modules().get(name, self.folder / name)

    def tests(self) -> list[Path]:
        """Return all modules with hidden tests, including shared ones."""
        return [path for name, path in sorted(self.modules().items()) if name.startswith("test_")]

    def scenarios(self) -> Path | None:
        """Find the module of named scenarios that runs in the student's kernel, or raise CourseError."""
        shared = self.settings().scenarios
        path = (self.folder.with_name(shared) if shared else self.folder) / SCENARIOS
        if shared and not path.is_file():
            raise CourseError(f"{self.folder / FILE}: scenarios: there is no {path}.")
        return path if path.is_file() else None

    def check(self, source: AssignmentSource) -> None:
        """Check that every grade cell of the source has a module, and every module a cell."""
        cells = source.exercises()
        modules = {path.stem: path for path in self.tests()}
        problems = [
            f"the grade cell {cell} of {notebook}.ipynb has no grader module {self.module(cell)}"
            for cell, notebook in cells.items()
            if cell not in modules
        ]
        problems += [
            f"the grader module {path} has no grade cell {name} in {source.folder}"
            for name, path in modules.items()
            if name not in cells and path.parent == self.folder
        ]
        if problems:
            raise CourseError("; ".join(problems) + ". Add the missing part, or remove or rename the other one.")
