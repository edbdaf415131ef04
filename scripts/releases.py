#!/usr/bin/env python
"""Makes every release again, with digests of their sources, with which a test finds outdated releases.

Only the input of nbgrader's own steps counts: a change that does not affect it makes no release outdated.
"""

import importlib.metadata
import json
import tempfile
from hashlib import sha256
from pathlib import Path

import nbformat
import typer

from syncpoint.core.language import SOURCE
from syncpoint.course.folder import Course
from syncpoint.course.nbgrader_command import quiet_nbgrader
from syncpoint.course.release import contents, in_git
from syncpoint.course.visible import visible_tests
from syncpoint.nbgrader_hooks import release_exporter
from syncpoint.releases.grade_cells import add_checks
from syncpoint.releases.points_and_time import add_points_and_time
from syncpoint.translations.catalogue import shipped
from syncpoint.translations.localize import source_in, stubs_in, words_in

ROOT = Path(__file__).resolve().parent.parent
DIGESTS = ROOT / "release" / "digests.json"  # next to the releases; students do not get it


def main() -> None:
    """Make the releases of all assignments and write their digests."""
    course = Course(ROOT)
    with tempfile.TemporaryDirectory(prefix="syncpoint-releases-") as folder:
        for assignment in course.assignments():
            print(f"making release/{assignment}", flush=True)
            database = f"sqlite:///{folder}/gradebook.db"
            quiet_nbgrader(ROOT, "generate_assignment", assignment, "--force", "--db", database)
    digests = {assignment: digest(course, assignment) for assignment in course.assignments()}
    DIGESTS.write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")


def digest(course: Course, assignment: str) -> str:
    """Return a digest of a release and its sources, without files that git does not keep."""
    settings = course.settings_of(assignment)
    made_by = {
        "nbgrader": importlib.metadata.version("nbgrader"),
        "settings": course.settings().GenerateAssignment,
        "exporter": Path(release_exporter.__file__).read_text(encoding="utf-8"),
        "language": settings.language,
        "engine": settings.engine,
    }
    parts = [
        made_by,
        visible_tests(course, assignment),
        {language: _in_language(course, language, assignment) for language in (SOURCE, *shipped(course, assignment))},
        _content(course.release(assignment).folder),
    ]
    return sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def _in_language(course: Course, language: str, assignment: str) -> list[object]:
    """Return the input of nbgrader's steps in a language, and the texts of the visible tests."""
    with tempfile.TemporaryDirectory(prefix="syncpoint-source-") as folder:
        source_in(course, language, assignment, Path(folder))
        for path in sorted(Path(folder).glob("*.ipynb")):
            notebook = nbformat.read(path, as_version=4)
            add_points_and_time(course, assignment, notebook)
            add_checks(course, assignment, notebook)
            nbformat.write(notebook, path)
        return [_content(Path(folder)), stubs_in(course, language), words_in(course, language, assignment)]


def _content(folder: Path) -> dict[str, object]:
    """Return a folder's files in git."""
    return {
        name: content
        for name, content in contents(folder).items()
        if in_git(Path(name)) and not {".ipynb_checkpoints", "__pycache__"} & {*Path(name).parts}
    }


if __name__ == "__main__":
    typer.run(main)
