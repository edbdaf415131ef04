"""Reads submissions as nbgrader will, without writing anything: what of them has to be judged."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbgrader import utils
from nbgrader.converters import Autograde
from nbgrader.preprocessors import CheckCellMetadata, ClearOutput, OverwriteKernelspec
from traitlets.utils.importstring import import_item

from ..core.messages import from_data
from ..judge.job import Cell, Files, GradingSpec, NotebookJob
from ..nbgrader_hooks.exporter import SubmissionExporter
from ..nbgrader_hooks.progress import Progress
from ..nbgrader_hooks.recovery import INTAKE
from ..nbgrader_hooks.timestamps import TIMESTAMP

# Of nbgrader's sanitize pass these change nothing that a job holds.
INDIFFERENT = (ClearOutput, OverwriteKernelspec, CheckCellMetadata)


class Unseen(Progress):
    """Shows nothing: the coordinator shows how far the class has come."""

    def show(self, student: str, assignment: str) -> None:
        """Note whose submission is being read, for whoever stops the run."""
        self._current = student


class QuietExporter(SubmissionExporter):
    """The way in for submissions, without a word on the screen."""

    def __init__(self, **keywords: Any) -> None:
        self.elsewhere: set[str] = set()  # the folders that another run was at when this one began
        super().__init__(**keywords)
        self._progress = Unseen([])

    def _folders(self, converter: Autograde) -> list[str]:
        return [folder for folder in super()._folders(converter) if converter.asked_for(Path(folder).parent.name)]

    def _leave_to_others(self, converter: Autograde, folders: set[str]) -> None:
        """The coordinator waits for them."""
        self.elsewhere = folders

    def _account_for(self, converter: Autograde) -> None:
        """The coordinator's display tells what became of each."""

    def _convert(self, converter: Autograde, convert: Callable[[], None]) -> None:
        """The coordinator takes up one submission after the other by itself."""
        convert()


class Reader:
    """Makes jobs of submissions.

    Args:
        converter: Before it writes a submission, with its exporter made.
        spec: What judges.
    """

    def __init__(self, converter: Autograde, spec: GradingSpec):
        self._converter, self._spec = converter, spec
        kinds = [import_item(name) if isinstance(name, str) else name for name in converter.sanitize_preprocessors]
        self._preprocessors = [kind(parent=converter.exporter) for kind in kinds if kind not in INDIFFERENT]

    def jobs(self, folder: Path, notebooks: Sequence[Path]) -> dict[str, NotebookJob | None]:
        """The job of each notebook of a submission, by its name; None for one that cannot be run."""
        files = self._files(folder)
        return {path.stem: self._job(path, files) for path in notebooks}

    def _job(self, path: Path, files: Files) -> NotebookJob | None:
        resources = self._converter.init_single_notebook_resources(str(path))
        # nbgrader itself sets the list anew for each pass over a notebook.
        self._converter.exporter._preprocessors = self._preprocessors
        text, _ = self._converter.exporter.from_filename(str(path), resources=resources)
        notebook = nbformat.reads(text, as_version=4)
        intake = notebook.metadata.pop(INTAKE)
        if intake["refused"]:
            return None
        return NotebookJob(
            path.stem, tuple(map(Cell.of, notebook.cells)), tuple(map(from_data, intake["notes"])), files
        )

    def _files(self, folder: Path) -> Files:
        """What will lie beside the notebooks: the student's files with the instructor's laid over them."""
        converter, coursedir = self._converter, self._converter.coursedir
        source = coursedir.format_path(coursedir.source_directory, ".", self._spec.assignment)
        excluded = {os.path.join(source, name) for name in converter.exclude_overwriting.get(self._spec.assignment, [])}
        beside = {}
        for place, left in ((str(folder), set()), (source, excluded)):
            for path in set(utils.find_all_files(place, [*coursedir.ignore, "*.ipynb"])) - left:
                beside[os.path.relpath(path, place)] = Path(path)
        beside.pop(TIMESTAMP, None)
        found = {(Path(name).as_posix(), path.read_bytes()) for name, path in beside.items()}
        return tuple(sorted(found - set(self._spec.files)))
