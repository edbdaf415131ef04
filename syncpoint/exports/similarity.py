"""Similarity: exports the students' own cells for an external tool that compares code."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from traitlets import List, Unicode
from traitlets.config import Configurable

from ..core.errors import SyncpointError
from ..core.names import some
from ..course.cells import grade_id
from ..course.folder import SIMILARITY_REPORT, Course
from ..course.intake import Template
from ..course.settings import read_settings
from ..course.submission_folder import linked
from ..course.traits import in_config
from ..grading.notebook_reader import NotebookReader

MAX_FILE_CHARACTERS = 200_000  # characters of a file: no tool can compare a class if one file has megabytes
FOLDER_PLACEHOLDER, REPORT_PLACEHOLDER, FILES_PLACEHOLDER = "{folder}", "{report}", "{files}"


class Similarity(Configurable):
    """The tool that compares code."""

    command = List(
        Unicode(),
        help="The program and its arguments, run without a shell.  {folder} is the folder of the export, {report} an "
        'empty folder for its report, and {files} all files: ["dolos", "run", "-l", "python", "{files}"].',
    ).tag(config=True)


@dataclass(frozen=True)
class Comparison:
    """The exported files and the report."""

    folder: Path
    report: Path  # the folder for the tool's report
    files: int
    left_out: list[str]  # students with a notebook that could not be read or is too long


def compare(course: Course, assignment: str) -> Comparison:
    """Export students' code, and let the configured tool compare it; its output is shown as it arrives.

    The assignment's earlier export and report are replaced.

    Raises:
        SyncpointError: If there is nothing to compare, or if the tool is missing or fails.
    """
    course.check_assignment(assignment)
    place = course.similarity / assignment
    folder, report = place / "files", place / SIMILARITY_REPORT
    files, left_out = _export(course, assignment, folder)
    if not files:
        raise SyncpointError(f"nobody has submitted a readable notebook of {assignment}.")
    shutil.rmtree(report, ignore_errors=True)
    report.mkdir(parents=True)
    command = in_config(Similarity, course.settings()).command
    if command:
        _run(command, folder, report, files)
    return Comparison(folder, report, len(files), left_out)


def _export(course: Course, assignment: str, folder: Path) -> tuple[list[Path], list[str]]:
    """Write ``<student>/<notebook>.py`` with the student's own code cells, without the release's."""
    config, names = course.settings(), sorted(path.name for path in course.source(assignment).folder.glob("*.ipynb"))
    reader = NotebookReader(course, CourseDirectory(config=config, root=str(course.root)), read_settings(config), {})
    shutil.rmtree(folder, ignore_errors=True)
    files: list[Path] = []
    left_out: list[str] = []
    for submission in sorted((course.root / "submitted").glob(f"[!.]*/{assignment}")):
        if linked(submission):
            left_out.append(submission.parent.name)
            continue
        for path in (submission / name for name in names):
            if not path.is_file() or path.is_symlink():
                continue
            read = reader.read(path, {})
            text = _own_code(read.notebook.cells, read.template)
            if read.refused is not None or len(text) > MAX_FILE_CHARACTERS:
                left_out.append(submission.parent.name)
                continue
            own = folder / submission.parent.name / f"{path.stem}.py"
            own.parent.mkdir(parents=True, exist_ok=True)
            own.write_text(text, encoding="utf-8", errors="replace")
            files.append(own)
    return files, left_out


def _own_code(cells: list[NotebookNode], template: Template) -> str:
    known = template.by_id
    texts = []
    for cell in cells:
        released = known.get(grade_id(cell))
        same = released is not None and (released.metadata.nbgrader.get("locked") or released.source == cell.source)
        if cell.cell_type == "code" and not same:
            texts.append(cell.source)
    return "\n\n".join(texts) + "\n"


def _run(command: list[str], folder: Path, report: Path, files: list[Path]) -> None:
    names = [f"./{os.path.relpath(path, folder)}" for path in files]  # so that a name with a leading - is not an option
    arguments = [
        argument.replace(FOLDER_PLACEHOLDER, str(folder)).replace(REPORT_PLACEHOLDER, str(report))
        for one in command
        for argument in (names if one == FILES_PLACEHOLDER else [one])
    ]
    try:
        status = subprocess.run(arguments, cwd=folder, stdin=subprocess.DEVNULL, check=False).returncode
    except OSError as problem:
        raise SyncpointError(f"c.Similarity.command: {arguments[0]!r} cannot be run ({problem.strerror}).") from None
    if status:
        raise SyncpointError(f"c.Similarity.command: {arguments[0]!r} ended with status {status}; see above.")


def describe(compared: Comparison, ran: bool) -> list[str]:
    lines = [f"{compared.files} files are in {compared.folder}."]
    if compared.left_out:
        why = f"cannot be read, or are longer than {MAX_FILE_CHARACTERS:,} characters"
        lines.append(f"Not compared, because they {why}: {some(compared.left_out)}.")
    lines.append(
        f"The report is in {compared.report}."
        if ran
        else "They were not compared: c.Similarity.command names no tool, see docs/how-to/marking.md, Compare code."
    )
    return lines
