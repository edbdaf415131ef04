"""A cheat in the bank: its submission, step by step, and its honest points."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from ..course.errors import CourseError
from ..demo.sample_submission import SampleSubmission

TEXT_CELLS = {"markdown": new_markdown_cell, "raw": new_raw_cell}


@dataclass(frozen=True)
class Deserved:
    """The points that a cheat deserves in one exercise, or the maximum if it may harm itself."""

    points: float
    at_most: bool = False

    def __str__(self) -> str:
        return f"{'at most ' if self.at_most else ''}{self.points:g}"


def at_most(points: float) -> Deserved:
    """Return the maximum for an exercise in which the trick may lose points."""
    return Deserved(points, at_most=True)


@dataclass
class Cheat:
    """A whole submission that tries to get points without the work. Its steps run in the order of the calls."""

    assignment: str  # the assignment whose released notebooks are submitted
    deserves: Mapping[str, float | Deserved]  # points by exercise, 0 in all others
    solves: Sequence[str] = ()  # exercises with the reference solution
    known: str = ""  # why this cheat still gains points; "" if it must not
    at_times: bool = False  # whether a known cheat gains points only in some runs, such as on an idle machine
    path: Path = Path()
    _steps: list[tuple[str, Callable[[SampleSubmission], None]]] = field(
        default_factory=list, repr=False, compare=False
    )
    _files: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    def cell(self, identity: str, source: str) -> None:
        """Replace the cell's text."""
        self._at(identity, lambda submission: submission.cell(identity).update(source=_text(source)))

    def before(self, identity: str, source: str) -> None:
        """Insert a code cell of the student before that cell."""
        self._at(identity, lambda submission: submission.insert_before(identity, _text(source)))

    def after(self, identity: str, source: str) -> None:
        """Insert a code cell of the student after that cell."""
        self._at(identity, lambda submission: _insert(submission, identity, new_code_cell(_text(source)), after=1))

    def copy(self, identity: str, source: str) -> None:
        """Insert a second cell with the same metadata and another text before that cell."""

        def step(submission: SampleSubmission) -> None:
            metadata = deepcopy(submission.cell(identity).metadata)
            _insert(submission, identity, new_code_cell(_text(source), metadata=metadata))

        self._at(identity, step)

    def delete(self, identity: str) -> None:
        """Delete the cell."""
        self._at(identity, lambda submission: submission.delete(identity))

    def turn_into(self, kind: Literal["code", "markdown", "raw"], identity: str) -> None:
        """Change the cell's kind; its id stays."""
        self._at(identity, lambda submission: submission.cell(identity).update(cell_type=kind))

    def metadata(self, identity: str, data: dict[str, Any]) -> None:
        """Merge this into the cell's metadata."""
        self._at(identity, lambda submission: _merge(submission.cell(identity).metadata, data))

    def outputs(self, identity: str, outputs: list[dict[str, Any]]) -> None:
        """Replace the cell's saved outputs."""
        self._at(
            identity, lambda submission: submission.cell(identity).update(outputs=list(map(NotebookNode, outputs)))
        )

    def attachments(self, identity: str, attachments: dict[str, Any]) -> None:
        """Replace the pictures in a written answer."""
        self._at(identity, lambda submission: submission.cell(identity).update(attachments=attachments))

    def first(self, source: str) -> None:
        """Insert a code cell of the student before everything else."""
        self._everywhere(lambda notebook: notebook.cells.insert(0, new_code_cell(_text(source))))

    def last(self, source: str) -> None:
        """Append a code cell of the student after everything else."""
        self._everywhere(lambda notebook: notebook.cells.append(new_code_cell(_text(source))))

    def note(self, kind: Literal["markdown", "raw"], text: str) -> None:
        """Append a text cell."""
        self._everywhere(lambda notebook: notebook.cells.append(TEXT_CELLS[kind](_text(text))))

    def notebook_metadata(self, data: dict[str, Any]) -> None:
        """Merge this into the metadata of each notebook."""
        self._everywhere(lambda notebook: _merge(notebook.metadata, data))

    def raw(self, text: str) -> None:
        """Replace each whole file by the text."""

        def step(submission: SampleSubmission) -> None:
            submission.corrupted = dict.fromkeys(submission.notebooks, _text(text))
            submission.notebooks.clear()

        self._at("", step)

    def file(self, name: str, text: str) -> None:
        """Add a file next to the notebooks."""
        self._files[name] = _text(text)

    @property
    def kind(self) -> str:
        """The folder that contains it."""
        return self.path.parent.name

    @property
    def name(self) -> str:
        return f"{self.kind}/{self.path.stem}"

    @property
    def student(self) -> str:
        return f"{self.kind}_{self.path.stem}"

    @property
    def does_something(self) -> bool:
        """Whether the submission differs from the release."""
        return bool(self._steps or self._files or self.solves)

    @property
    def cells(self) -> set[str]:
        """The ids of all cells that it uses."""
        return {*self.deserves, *self.solves, *(identity for identity, _ in self._steps if identity)}

    def share(self, exercise: str) -> Deserved:
        deserved = self.deserves.get(exercise, 0)
        return deserved if isinstance(deserved, Deserved) else Deserved(deserved)

    def hand_in(self, submission: SampleSubmission, solutions: dict[str, str], folder: Path) -> None:
        """Write the submission, made from the release and the instructor's cells, or raise CourseError."""
        for exercise in self.solves:
            submission.cell(exercise).source = solutions[exercise]
        for identity, step in self._steps:
            try:
                step(submission)
            except (StopIteration, ValueError) as problem:
                raise CourseError(f"{self.path}: a step at {identity!r} cannot be applied ({problem!r}).") from None
        submission.write(folder)
        for name, text in self._files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)

    def _at(self, identity: str, step: Callable[[SampleSubmission], None]) -> None:
        self._steps.append((identity, step))

    def _everywhere(self, step: Callable[[NotebookNode], None]) -> None:
        def each(submission: SampleSubmission) -> None:
            for notebook in submission.notebooks.values():
                step(notebook)

        self._at("", each)


def _text(text: str) -> str:
    """Return the text for a cell or file, without the literal's first and last line break."""
    return text.strip("\n") + "\n"


def _insert(submission: SampleSubmission, identity: str, cell: NotebookNode, after: int = 0) -> None:
    cells = submission.cells_around(identity)
    cells.insert(cells.index(submission.cell(identity)) + after, cell)


def _merge(into: dict[str, Any], data: dict[str, Any]) -> None:
    for key, value in data.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value
