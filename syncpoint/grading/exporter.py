"""The way in for submissions of `syncpoint grade`, which shows, waits and goes on by itself."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4.nbjson import to_notebook
from nbformat.validator import normalize
from nbgrader.converters import Autograde
from nbgrader.preprocessors import AssignLatePenalties, SaveAutoGrades

from ..core.errors import SyncpointError
from ..judge.job import Result
from ..nbgrader_hooks.exporter import SubmissionExporter
from ..nbgrader_hooks.progress import Progress
from ..nbgrader_hooks.reader import ReadNotebook

IN_GRADEBOOK = (SaveAutoGrades, AssignLatePenalties)  # nbgrader's steps that write there


class NotKnown(SyncpointError):
    """A result that is in no store: somebody changed a submission while it was judged."""


class Unseen(Progress):
    """Shows nothing: the display shows how far the class has come."""

    def show(self, student: str, assignment: str) -> None:
        """Note whose submission is being read, for whoever stops the run."""
        self._current = student


@dataclass
class Copy:
    """A notebook of autograded/ whose scores are written.

    Attributes:
        notebook: As nbgrader's steps left it so far.
        resources: Theirs.
        left: The steps that write nothing into the gradebook, and come after those that do.
    """

    notebook: NotebookNode
    resources: Any
    left: Sequence[Callable[[NotebookNode, Any], tuple[NotebookNode, Any]]]


class QuietExporter(SubmissionExporter):
    """The way in for submissions, without a word on the screen.

    nbgrader has each notebook converted twice, and written and read again in between.  Here the second conversion takes
    what the first one made, so that a notebook is copied once, and held against its format once each; what is
    made of it is the same.

    Attributes:
        judges: Whether a result that nobody knows is worked out.
        missed: Whether one was asked for that nobody knows, and was not worked out.
    """

    judges, missed = True, False

    def __init__(self, **keywords: Any) -> None:
        self.elsewhere: set[str] = set()  # the folders that another run was at when this one began
        super().__init__(**keywords)
        self._progress = Unseen([])

    def known(self, key: str) -> Result | None:
        """A result of this run goes before one in the store; only what was changed meanwhile is in neither.

        Returns:
            The result with this key, or None.

        Raises:
            NotKnown: If there is none, and none is to be worked out now.
        """
        writer: Any = self.parent
        result = writer.results.get(key) or self._store.get(key)
        if result is None and not self.judges:
            self.missed = True
            raise NotKnown
        return result

    def from_filename(self, filename: str, resources: Any = None, **keywords: Any) -> Any:
        """Read a submission, or take what the first conversion made of it."""
        if self._is_submitted(Path(filename)):
            return super().from_filename(filename, resources=resources, **keywords)
        path = Path(filename)
        resources.setdefault("metadata", {}).update(name=path.stem, path=str(path.parent))
        return self._convert_once(self._sanitized, resources)

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **_: Any) -> Any:
        """The first conversion: nothing is written of it."""
        copy = normalize(nb)[1]
        notebook, resources = self._step(copy, self._init_resources(resources), self._preprocessors)
        text = json.dumps(notebook, ensure_ascii=False)
        text.encode()  # what cannot be written is found out before anything is
        self._sanitized = to_notebook(json.loads(text))
        return "", resources

    def _convert_once(self, notebook: NotebookNode, resources: Any) -> tuple[Copy, Any]:
        """The second conversion, as far as it goes into the gradebook."""
        steps = self._preprocessors
        last = max((number for number, step in enumerate(steps) if isinstance(step, IN_GRADEBOOK)), default=-1)
        resources = self._init_resources(resources)
        for step in steps[: last + 1]:
            notebook, resources = step(notebook, resources)
        return Copy(notebook, resources, steps[last + 1 :]), resources

    def finish(self, copy: Copy) -> str:
        """The rest of the second conversion.

        Returns:
            The notebook as text.
        """
        notebook, _ = self._step(copy.notebook, copy.resources, copy.left)
        return nbformat.writes(notebook, version=self.nbformat_version) + "\n"

    def _step(self, notebook: NotebookNode, resources: Any, steps: Any) -> tuple[NotebookNode, Any]:
        """Take these steps, and hold what comes out against the format."""
        for step in steps:
            notebook, resources = step(notebook, resources)
        self._validate_preprocessor(notebook, "of the configuration")
        return notebook, resources

    def _read(self, path: Path) -> ReadNotebook:
        """What was judged is what is written, whatever was handed in meanwhile."""
        writer: Any = self.parent
        return writer.read.get(path) or super()._read(path)

    def _folders(self, converter: Autograde) -> list[str]:
        return [folder for folder in super()._folders(converter) if Path(folder).parent.name in converter.students]

    def _leave_to_others(self, converter: Autograde, folders: set[str]) -> None:
        """The run waits for them."""
        self.elsewhere = folders

    def _account_for(self, converter: Autograde) -> None:
        """The display tells what became of each."""

    def _convert(self, converter: Autograde, convert: Callable[[], None]) -> None:
        """It takes up one submission after the other by itself."""
        convert()
