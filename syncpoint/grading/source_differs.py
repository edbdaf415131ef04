"""Checks whether a release equals what its sources produce now, because the release decides grading."""

import contextlib
import hashlib
import json
from pathlib import Path

import nbformat
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory

from ..core.atomic_write import write_whole
from ..core.language import SOURCE
from ..course.folder import Course

PACKAGE = Path(__file__).parents[1]
MAKERS = ("nbgrader_hooks", "releases")  # the packages that take part in making a release
DIFFERS = (
    "release/{name} differs from source/{name} ({notebooks}): students are graded by the release. To "
    "grade them by the source, run `nbgrader generate_assignment {name} --force`, then grade again."
)
NOT_COMPARED = (
    "release/{name} could not be compared with source/{name} ({problem}): students are graded by the release."
)


def source_differs(course: Course, assignment: str) -> str:
    """Return a sentence that names the notebooks that a new release would change.

    "" for none, or if the release is in another language. Nothing is released, and the gradebook is not read.
    """
    if course.settings_of(assignment).language != SOURCE:
        return ""
    known, digest = course.state / "sources" / assignment, _digest(course, assignment)
    with contextlib.suppress(OSError, ValueError):
        before, difference = known.read_text(encoding="utf-8").split("\n", 1)
        if before == digest:
            return difference
    try:
        difference = _compare(course, assignment)
    except Exception as problem:  # a source that is being edited must not stop grading
        return NOT_COMPARED.format(name=assignment, problem=problem)
    with contextlib.suppress(OSError):  # the cache only saves a second
        known.parent.mkdir(parents=True, exist_ok=True)
        write_whole(known, f"{digest}\n{difference}".encode())
    return difference


def _digest(course: Course, assignment: str) -> str:
    settings = course.root / "grader_tests" / assignment / "assignment.toml"
    notebooks = [
        path
        for folder in (course.source(assignment).folder, course.root / "release" / assignment)
        for path in sorted(folder.glob("*.ipynb"))
    ]
    digest = hashlib.sha256()
    makers = [path for name in MAKERS for path in sorted((PACKAGE / name).glob("*.py"))]
    for path in [*notebooks, *course.settings_files, settings, *makers]:
        digest.update(f"{path}\0".encode() + (path.read_bytes() if path.is_file() else b""))
    return digest.hexdigest()


def _compare(course: Course, assignment: str) -> str:
    made = _notebooks(course, assignment)
    folder = course.root / "release" / assignment
    there = {path.name: _compared(path.read_text(encoding="utf-8")) for path in folder.glob("*.ipynb")}
    odd = sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))
    return DIFFERS.format(name=assignment, notebooks=", ".join(odd)) if odd else ""


def _notebooks(course: Course, assignment: str) -> dict[str, object]:
    settings = course.settings()
    coursedir = CourseDirectory(config=settings, root=str(course.root), assignment_id=assignment, student_id=".")
    converter = GenerateAssignment(coursedir=coursedir, config=settings)
    exporter = converter.exporter_class(config=settings)
    exporter.parent = converter
    for step in converter.preprocessors:  # classes, or their names
        if not str(step).rstrip("'>").endswith(("SaveCells", "CheckGraders")):
            exporter.register_preprocessor(step, enabled=True)
    converter.exporter = exporter
    made = {}
    for path in sorted(course.source(assignment).folder.glob("*.ipynb")):
        named = f"{coursedir.format_path(coursedir.source_directory, '.', assignment)}/{path.name}"
        resources = converter.init_single_notebook_resources(named)
        made[path.name] = _compared(exporter.from_filename(named, resources=resources)[0])
    return made


def _compared(text: str) -> object:
    """Return the parts of a notebook that students and the judge see."""
    notebook = nbformat.reads(text, as_version=4)
    return [
        (cell.cell_type, cell.source, json.dumps(cell.metadata.get("nbgrader"), sort_keys=True))
        for cell in notebook.cells
    ]
