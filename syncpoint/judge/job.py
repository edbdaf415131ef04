"""Input and output of the judge, as plain data that can be sent to another machine.

A :class:`GradingSpec` is all of an assignment that judges, a :class:`NotebookJob` one notebook of one submission, a
:class:`Result` its result.  A result depends on its spec and its job and on nothing else, so :func:`key` names it.
"""

import functools
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, ClassVar, Literal, TypeVar, cast

from nbformat import NotebookNode
from pydantic import AfterValidator, ConfigDict, TypeAdapter, ValidationError

from ..core.explanations_of_tests import Explanation, read_explanations
from ..core.limits import Isolation, Limits
from ..core.messages import Message
from ..core.results import Note, NotebookResult, Versions
from ..sandbox.spec import SandboxSpec, engine_prefix
from .cell_output import CellOutput, from_notebook
from .cells import is_autograded
from .errors import Malformed

T = TypeVar("T")
KINDS = ("code", "markdown", "raw")  # of cells
PLAIN = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64", extra="forbid")


def _relative(name: str) -> str:
    """Check that a path stays in its folder."""
    path = PurePosixPath(name)
    if path.is_absolute() or not path.parts or ".." in path.parts or "\0" in name:
        raise ValueError(f"{name!r} is no path inside a folder")
    return name


Files = tuple[tuple[Annotated[str, AfterValidator(_relative)], bytes], ...]


def new_cell(kind: str, source: str) -> NotebookNode:
    """A cell of one of these kinds; its notebook must give it an id."""
    # nbformat's constructors validate each cell, which takes a hundred times as long.
    code: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return NotebookNode({"id": "cell", "cell_type": kind, "metadata": NotebookNode(), "source": source, **code})


def numbered(cells: list[NotebookNode], metadata: Mapping[str, Any]) -> NotebookNode:
    """Return a notebook of these cells, whose ids are their positions."""
    for number, cell in enumerate(cells, 1):
        cell.id = f"cell-{number}"
    notebook = NotebookNode(cells=cells, nbformat=4, nbformat_minor=5)
    notebook.metadata = metadata  # a copy
    return notebook


@dataclass(frozen=True)
class GradingSpec:
    """Everything that judges one assignment; see :meth:`syncpoint.course.folder.Course.spec`."""

    __pydantic_config__: ClassVar[ConfigDict] = PLAIN

    assignment: str
    engine: str
    interface: str  # the engine's array interface that graders use; "" is the first
    environment: tuple[str, ...]  # see :func:`syncpoint.judge.judge_version.environment`
    limits: Limits
    isolation: Isolation
    graders: Files  # the modules below grader_tests/, by their path in the course
    scenarios: bytes | None  # the source of the probe module, or None
    files: Files  # the files next to the notebooks
    judge: str  # a digest of the code that judges; a machine must have the same code
    versions: Versions

    @functools.cached_property
    def digest(self) -> str:
        """A digest that is the same for equal specs on any machine."""
        return hashlib.sha256(to_json(self)).hexdigest()

    def words(self, exercise: str) -> Mapping[str, Explanation]:
        """The author's texts about each test of an exercise, by the name of its function."""
        return self._words.get(f"{self.assignment}/{exercise}", {})

    @functools.cached_property
    def _words(self) -> dict[str, Mapping[str, Explanation]]:
        paths = ((PurePosixPath(name), content) for name, content in self.graders)
        return {f"{path.parent.name}/{path.stem}": read_explanations(content) for path, content in paths}

    def sandbox_spec(self, engines: Path, files: Files = ()) -> SandboxSpec:
        """Return the sandbox for a submission with these files; ``engines`` has the folders .venv-<engine>."""
        return SandboxSpec(
            engine_prefix=engine_prefix(engines, self.engine),
            files=sorted_files({**dict(self.files), **dict(files)}.items()),
            scenarios=self.scenarios,
            limits=self.limits,
            isolation=self.isolation,
        )


@dataclass(frozen=True)
class Cell:
    """The parts of a cell that matter to the judge."""

    __pydantic_config__: ClassVar[ConfigDict] = PLAIN

    kind: Literal["code", "markdown", "raw"]  # the kind, as nbgrader and Jupyter name it
    source: str = ""  # the code; "" for text
    grade_id: str = ""  # its id; "" for a cell that is none of nbgrader's
    grade: bool = False
    solution: bool = False
    locked: bool = False
    points: float | None = None  # its points; None unless it is graded

    @classmethod
    def of(cls, cell: NotebookNode) -> "Cell":
        """Return the parts of a submission's cell that decide its result."""
        if cell.cell_type != "code":
            return cls(cell.cell_type)
        marks = cell.metadata.get("nbgrader", {})
        points = marks.get("points")
        return cls(
            "code",
            "" if is_autograded(cell) else cell.source,  # it is never run
            marks.get("grade_id", ""),
            bool(marks.get("grade")),
            bool(marks.get("solution")),
            bool(marks.get("locked")),
            None if points is None else float(points),
        )

    def as_cell(self) -> NotebookNode:
        cell = new_cell(self.kind, self.source)
        if self.grade_id:
            names = ("grade_id", "grade", "solution", "locked", "points")
            cell.metadata = NotebookNode(nbgrader=NotebookNode({name: getattr(self, name) for name in names}))
        return cell


@dataclass(frozen=True)
class NotebookJob:
    """One notebook of one submission, as the judge sees it: no student's name, and no text but code."""

    __pydantic_config__: ClassVar[ConfigDict] = PLAIN

    notebook: str  # its name
    cells: tuple[Cell, ...]  # all cells in order
    notes: tuple[Note, ...] = ()  # the intake's changes, for the student
    files: Files = ()  # the student's files next to the notebook, without the assignment's own
    variant: str = ""  # the student's values, see :mod:`syncpoint.core.variants`

    @classmethod
    def of(
        cls,
        name: str,
        notebook: NotebookNode,
        notes: Sequence[Note],
        files: Files,
        spec: GradingSpec,
        variant: str = "",
    ) -> "NotebookJob":
        """Return the job of a notebook and of the files next to it, both after intake.

        The files that the spec also has are left out: they are the same in every job.
        """
        own = sorted_files(set(files) - set(spec.files))
        return cls(name, tuple(map(Cell.of, notebook.cells)), tuple(notes), own, variant)

    def as_notebook(self) -> NotebookNode:
        """Return a notebook that can be run, with the cells in their places."""
        return numbered([cell.as_cell() for cell in self.cells], {})


def key(spec: GradingSpec, job: NotebookJob) -> str:
    """Return the result's name: a digest of everything that it depends on."""
    # The key does not contain points: tests yield shares, and the notebook has the points.
    cells = tuple(replace(cell, points=None) for cell in job.cells)
    return hashlib.sha256(spec.digest.encode() + to_json(replace(job, cells=cells))).hexdigest()


@dataclass(frozen=True)
class CellResult:
    """The outputs of a code cell after the run."""

    __pydantic_config__: ClassVar[ConfigDict] = PLAIN

    index: int  # its place in the notebook
    outputs: tuple[CellOutput, ...]
    execution_count: int | None  # the number of its execution, or None


@dataclass(frozen=True)
class Result:
    """The outcome of a job as data, without markup or sentences: see :mod:`syncpoint.report.notebook`."""

    __pydantic_config__: ClassVar[ConfigDict] = PLAIN

    # every code cell; a grade cell is empty, because its content is made from the notebook result
    cells: tuple[CellResult, ...]
    notebook_result: NotebookResult  # the results of the tests
    warnings: tuple[Message, ...] = ()  # sentences about this run for the person who grades
    # False if a problem on our side affected it: then it counts for now, and the next run judges again
    cacheable: bool = True

    @classmethod
    def of(
        cls,
        notebook: NotebookNode,
        notebook_result: NotebookResult,
        warnings: Sequence[Message] = (),
        cacheable: bool = True,
    ) -> "Result":
        """Return the result of a notebook that was run and judged."""
        cells = tuple(
            CellResult(index, tuple(map(from_notebook, cell.outputs)), cell.execution_count)
            for index, cell in enumerate(notebook.cells)
            if cell.cell_type == "code"
        )
        return cls(cells, notebook_result, tuple(warnings), cacheable)

    def fits(self, notebook: NotebookNode) -> bool:
        """Return whether this may be a result of this notebook.

        It must be of the notebook's code cells, with a result for each exercise.
        """
        code = [index for index, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
        stopped = {incident.cell for incident in self.notebook_result.incidents} - {None}
        if code != [cell.index for cell in self.cells] or not stopped <= set(code):
            return False
        exercises = [cell.metadata.nbgrader.grade_id for cell in notebook.cells if is_autograded(cell)]
        return [exercise.name for exercise in self.notebook_result.exercises] == exercises


@dataclass(frozen=True)
class JudgeReply:
    """A judging process's reply to one job: its result, or the reason why there is none."""

    result: Result | None  # None if it could not be judged; then ``fault`` is a sentence that says why
    fault: str = ""
    unusable: bool = False  # whether this machine would reply the same for every job of this spec
    died: bool = False  # whether its judge died twice, the second time alone: no other worker need try
    host: str = ""  # the name of the machine
    worker: str = ""  # the address of the worker; "" outside a cluster
    seconds: float = 0.0  # how long judging took, in wall-clock seconds
    # a sentence on how it was judged, for the person who grades; added by the code that started the judge
    warning: str = ""


@functools.cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def to_json(data: Any) -> bytes:
    """Return plain data as JSON; equal data give equal bytes."""
    return _adapter(cast(Any, type(data))).dump_json(data)


def from_json(kind: type[T], data: bytes) -> T:
    """Return data of this kind, with every value checked: it may come from another machine. Raises Malformed."""
    try:
        return cast(T, _adapter(cast(Any, kind)).validate_json(data, strict=True))
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise Malformed(f"this is no {kind.__name__}: {first['msg']} ({place or 'the whole'})") from None


def digest_of(files: Files) -> str:
    """Return a digest that is the same for the same files."""
    digest = hashlib.sha256()
    for name, content in files:
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def sorted_files(files: Any) -> Files:
    """Sort files, each a path and its content."""
    return tuple(sorted(files))
