"""The release of an assignment: whether what lies in release/ is what nbgrader would generate now."""

import json
import tempfile
from pathlib import Path

from .command import quiet_nbgrader
from .judge.course import Course


def stale_files(course: Course, assignment: str) -> list[str]:
    """The names of released files that differ from freshly generated ones.  Raises CommandFailed."""
    with tempfile.TemporaryDirectory(prefix="syncpoint-release-") as folder:
        quiet_nbgrader(
            course.root,
            *("generate_assignment", assignment, "--force", "--db", f"sqlite:///{folder}/gradebook.db"),
            f"--CourseDirectory.release_directory={folder}/release",
        )
        fresh = _contents(Path(folder, "release", assignment))
    kept = _contents(course.root / "release" / assignment)
    return sorted(name for name in fresh.keys() | kept.keys() if fresh.get(name) != kept.get(name))


def _contents(folder: Path) -> dict[str, object]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): _content(path) for path in files}


def _content(path: Path) -> object:
    return json.loads(path.read_text()) if path.suffix == ".ipynb" else path.read_bytes()
