"""The way in for submissions of `syncpoint grade`, which shows, waits and goes on by itself."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from nbgrader.converters import Autograde

from ..judge.job import Result
from ..nbgrader_hooks.exporter import SubmissionExporter
from ..nbgrader_hooks.progress import Progress
from ..nbgrader_hooks.reader import ReadNotebook


class Unseen(Progress):
    """Shows nothing: the display shows how far the class has come."""

    def show(self, student: str, assignment: str) -> None:
        """Note whose submission is being read, for whoever stops the run."""
        self._current = student


class QuietExporter(SubmissionExporter):
    """The way in for submissions, without a word on the screen."""

    def __init__(self, **keywords: Any) -> None:
        self.elsewhere: set[str] = set()  # the folders that another run was at when this one began
        super().__init__(**keywords)
        self._progress = Unseen([])

    def known(self, key: str) -> Result | None:
        """A result of this run goes before one in the store; only what was changed meanwhile is in neither."""
        writer: Any = self.parent
        return writer.results.get(key) or self._store.get(key)

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
