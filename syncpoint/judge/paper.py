"""What goes into the judge and what comes out, as plain data that may cross to another machine.

A :class:`Kit` is all of an assignment that judges, a :class:`Paper` one notebook of one submission, a :class:`Result`
what came of it.  A result depends on its kit and its paper and on nothing else, so :func:`key` names it.
"""

import functools
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar, cast

from nbformat import NotebookNode
from nbformat.v4 import new_notebook
from pydantic import AfterValidator, ConfigDict, TypeAdapter, ValidationError

from ..sandbox.world import Isolation, Limits, World, engine_prefix, read_files
from .fingerprint import environment, judge_digest
from .intake import NEW_CELL
from .kept_output import KeptOutput, keep, show
from .observation import NO_LOG
from .submission import is_autograded
from .verdict import Judgement, Versions

if TYPE_CHECKING:  # they import this module
    from .course import Course
    from .grade import GradeSubmission

T = TypeVar("T")
PLAIN = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64", extra="forbid")


class Malformed(ValueError):
    """These bytes are not what they should be; the text says where."""


class EngineDiffers(Exception):
    """What judges on this machine is not what the kit was made for; the text says what differs and what to do."""


def _relative(name: str) -> str:
    """A path that stays in its folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or not path.parts or ".." in path.parts or "\0" in name:
        raise ValueError(f"{name!r} is no path inside a folder")
    return name


Files = tuple[tuple[Annotated[str, AfterValidator(_relative)], bytes], ...]


# --- what goes in -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kit:
    """Everything of one assignment that judges.

    environment: see :func:`syncpoint.judge.fingerprint.environment`.  graders: the modules below grader_tests/, by
    their path in the course.  scenarios: source of the probe module, or None.  files: what lies beside the notebooks.
    source: a digest of the instructor's notebooks.  misconceptions: the page of that name, or None.  judge: a digest
    of the code that judges.
    """

    __pydantic_config__: ClassVar[ConfigDict] = PLAIN

    assignment: str
    engine: str
    environment: tuple[str, ...]
    limits: Limits
    isolation: Isolation
    graders: Files
    scenarios: bytes | None
    files: Files
    source: str
    misconceptions: bytes | None
    misconceptions_url: str
    judge: str
    versions: Versions

    @classmethod
    def of(cls, course: "Course", assignment: str, judge: "GradeSubmission") -> "Kit":
        """The kit of an assignment as it is in the course folder now, with the settings of ``judge``."""
        modules = [*(course.root / "grader_tests").glob("*.py"), *course.graders_folder(assignment).glob("*.py")]
        graders = _sorted((path.relative_to(course.root).as_posix(), path.read_bytes()) for path in modules)
        notebooks = sorted(course.source_folder(assignment).glob("*.ipynb"))
        scenarios = _read(course.scenarios(assignment))
        settings = course.assignment(assignment)
        engine = course.engine(judge.engine_of(settings))
        installed = environment(course.engine_prefix(engine.name))
        package = engine.environment.check
        version = next((name for name in installed if name.startswith(f"{package} ")), engine.name)
        return cls(
            assignment=assignment,
            engine=engine.name,
            environment=installed,
            limits=judge.limits_of(settings),
            isolation=cast(Isolation, judge.isolation),
            graders=graders,
            scenarios=scenarios,
            files=_sorted(read_files(course.files(assignment))),
            source=_digest_of(_sorted((path.name, path.read_bytes()) for path in notebooks)),
            misconceptions=_read(course.misconceptions_page),
            misconceptions_url=judge.misconceptions_url,
            judge=judge_digest(engine.name),
            versions=Versions(version, _digest_of((*graders, ("scenarios", scenarios or b"")))[:12]),
        )

    @functools.cached_property
    def digest(self) -> str:
        """The same for equal kits, on any machine."""
        return hashlib.sha256(to_json(self)).hexdigest()

    def world(self, engines: Path, files: Files = ()) -> World:
        """The world of a submission with these files of its own.  engines: the folder that holds .venv-<engine>."""
        return World(
            engine_prefix=engine_prefix(engines, self.engine),
            files=_sorted({**dict(self.files), **dict(files)}.items()),
            scenarios=self.scenarios,
            limits=self.limits,
            isolation=self.isolation,
        )


@dataclass(frozen=True)
class Cell:
    """One cell, as far as it matters to the judge.  source: "" for text.  points: None unless it is graded."""

    __pydantic_config__: ClassVar[ConfigDict] = PLAIN

    kind: Literal["code", "markdown", "raw"]
    source: str = ""
    grade_id: str = ""
    grade: bool = False
    solution: bool = False
    points: float | None = None

    @classmethod
    def of(cls, cell: NotebookNode) -> "Cell":
        """What matters of a cell of the sanitized notebook."""
        if cell.cell_type != "code":
            return cls(cell.cell_type)
        marks = cell.metadata.get("nbgrader", {})
        points = marks.get("points")
        return cls(
            "code",
            cell.source,
            marks.get("grade_id", ""),
            bool(marks.get("grade")),
            bool(marks.get("solution")),
            None if points is None else float(points),
        )

    def as_cell(self) -> NotebookNode:
        """A cell that can be run."""
        cell = NEW_CELL[self.kind](source=self.source)
        if self.grade_id:
            marks = {"grade_id": self.grade_id, "grade": self.grade, "solution": self.solution, "points": self.points}
            cell.metadata = NotebookNode(nbgrader=NotebookNode(marks))
        return cell


@dataclass(frozen=True)
class Paper:
    """One notebook of one submission, as the judge sees it: no student's name, no text of theirs that is not code.

    notes: what the intake mended, in sentences for the student.  files: what lies beside the notebook, without what
    the assignment itself brings.
    """

    __pydantic_config__: ClassVar[ConfigDict] = PLAIN

    notebook: str
    cells: tuple[Cell, ...]
    notes: tuple[str, ...] = ()
    files: Files = ()

    @classmethod
    def of(cls, name: str, notebook: NotebookNode, notes: Sequence[str], folder: Path, kit: Kit) -> "Paper":
        """The paper of a notebook after nbgrader's sanitize pass.

        folder: nbgrader's copy of the submission, with the instructor's files laid over the student's.
        """
        from .timestamps import TIMESTAMP  # with nbgrader, which a judging process does without

        beside = [path for path in folder.iterdir() if path.suffix != ".ipynb" and path.name != TIMESTAMP]
        return cls(
            name,
            tuple(map(Cell.of, notebook.cells)),
            tuple(notes),
            _sorted(set(read_files(beside)) - set(kit.files)),
        )

    def as_notebook(self) -> NotebookNode:
        """A notebook that can be run, with the cells in their places."""
        return new_notebook(cells=[cell.as_cell() for cell in self.cells])


def key(kit: Kit, paper: Paper) -> str:
    """The name of the result: a digest of all it depends on."""
    return hashlib.sha256(kit.digest.encode() + to_json(paper)).hexdigest()


# --- what comes out -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class KeptCell:
    """What a code cell has after the run.  index: its place in the notebook."""

    __pydantic_config__: ClassVar[ConfigDict] = PLAIN

    index: int
    outputs: tuple[KeptOutput, ...]
    execution_count: int | None


@dataclass(frozen=True)
class Result:
    """What came of a paper.

    cells: every code cell.  judgement: without the logs behind its verdicts; their pictures stand in the outputs.
    remarks: sentences for whoever grades, about this one run.  lasting: False if a fault of ours went into it: then it
    counts for now, and the next run judges again.
    """

    __pydantic_config__: ClassVar[ConfigDict] = PLAIN

    cells: tuple[KeptCell, ...]
    judgement: Judgement
    remarks: tuple[str, ...] = ()
    lasting: bool = True

    @classmethod
    def of(
        cls, notebook: NotebookNode, judgement: Judgement, remarks: Sequence[str] = (), lasting: bool = True
    ) -> "Result":
        """The result of a notebook that was run and judged."""
        verdicts = tuple(
            replace(verdict, outcomes=tuple(replace(outcome, log=NO_LOG) for outcome in verdict.outcomes))
            for verdict in judgement.verdicts
        )
        cells = tuple(
            KeptCell(index, tuple(map(keep, cell.outputs)), cell.execution_count)
            for index, cell in enumerate(notebook.cells)
            if cell.cell_type == "code"
        )
        return cls(cells, replace(judgement, verdicts=verdicts), tuple(remarks), lasting)

    def fits(self, notebook: NotebookNode) -> bool:
        """Whether this may be a result of this notebook: of its code cells, with a verdict and its points for each
        exercise.
        """
        code = [index for index, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
        if code != [cell.index for cell in self.cells]:
            return False
        graded = [kept for kept in self.cells if is_autograded(notebook.cells[kept.index])]
        exercises = [notebook.cells[kept.index].metadata.nbgrader.grade_id for kept in graded]
        shown = [[getattr(output, "data", {}).get("text/plain") for output in kept.outputs] for kept in graded]
        verdicts = self.judgement.verdicts
        return [verdict.exercise for verdict in verdicts] == exercises and shown == [
            [repr(verdict.points)] for verdict in verdicts
        ]

    def apply(self, notebook: NotebookNode) -> None:
        """Put the outputs into the notebook.  Raises Malformed if they are another notebook's."""
        if not self.fits(notebook):
            raise Malformed("a result does not fit the cells of its notebook")
        for kept in self.cells:
            cell = notebook.cells[kept.index]
            cell.outputs, cell.execution_count = list(map(show, kept.outputs)), kept.execution_count


# --- as bytes -----------------------------------------------------------------------------------------------------


@functools.cache
def _adapter(kind: Any) -> TypeAdapter:
    return TypeAdapter(kind)


def to_json(data: Any) -> bytes:
    """Plain data as JSON; equal data give equal bytes."""
    return _adapter(cast(Any, type(data))).dump_json(data)


def from_json(kind: type[T], data: bytes) -> T:
    """Data of this kind, every value looked at: they may come from another machine.  Raises Malformed."""
    try:
        return cast(T, _adapter(cast(Any, kind)).validate_json(data, strict=True))
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise Malformed(f"this is no {kind.__name__}: {first['msg']} ({place or 'the whole'})") from None


def _digest_of(files: Files) -> str:
    digest = hashlib.sha256()
    for name, content in files:
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _sorted(files: Any) -> Files:
    return tuple(sorted(files))


def _read(path: Path | None) -> bytes | None:
    return path.read_bytes() if path is not None and path.is_file() else None
