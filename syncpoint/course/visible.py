"""The visible tests of an assignment: what of them goes into its release, and that nothing hidden goes with them."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

from ..core.errors import SyncpointError
from .check_wheel import NAME, check_wheel
from .folder import Course

FOLDER = "visible"  # of an assignment's graders, and beside the notebooks of its release
ABOUT = "check.json"  # in the release: what the check must know of the assignment
NEVER = frozenset({"syncpoint", "probe", "grader_tests", "probes", "bank", "conftest"})


class NotForStudents(SyncpointError):
    """A visible test needs what students do not have; the text names both."""


def visible_folder(course: Course, assignment: str) -> Path:
    """The folder of an assignment's visible tests; it need not be there."""
    return course.graders_folder(assignment) / FOLDER


def check_visible(folder: Path) -> None:
    """Fail unless the tests in a folder stand alone.

    Args:
        folder: ``grader_tests/<assignment>/visible``.

    Raises:
        NotForStudents: If one imports a hidden test, a helper of theirs, or anything of the judge's, or is no Python.
    """
    own = {path.stem for path in folder.glob("*.py")}
    hidden = NEVER | {path.stem for place in (folder.parent, folder.parent.parent) for path in place.glob("*.py")}
    for path in sorted(folder.glob("*.py")):
        try:
            imported = set(_imports(path))
        except (SyntaxError, ValueError) as error:
            raise NotForStudents(f"{path} is no Python: {error}") from None
        for name in sorted(imported):
            if name in NEVER or (name in hidden and name not in own) or not name:
                raise NotForStudents(
                    f"{path} imports {name or 'from above'}, which students do not have: a visible test imports "
                    f"{NAME}, the engine, what Python has, and modules beside it."
                )


def add_visible(course: Course, assignment: str, folder: Path) -> None:
    """Lay the visible tests of an assignment beside the notebooks of its release, and the wheel that runs them.

    Args:
        course: In which the assignment is.
        assignment: Its name.
        folder: Of the release.

    Raises:
        NotForStudents: If a test needs what students do not have.
        CannotBuild: If the wheel cannot be built.
        OSError: If a file cannot be read or written.
    """
    tests = visible_folder(course, assignment)
    if not tests.is_dir():
        return
    check_visible(tests)
    target = Path(folder, FOLDER)
    target.mkdir(exist_ok=True)
    for path in sorted(tests.glob("*.py")):
        (target / path.name).write_bytes(path.read_bytes())
    about = {"engine": course.settings_of(assignment).engine}
    (target / ABOUT).write_text(json.dumps(about) + "\n", encoding="utf-8")
    name, content = check_wheel()
    Path(folder, name).write_bytes(content)


def _imports(path: Path) -> Iterator[str]:
    """The first names of all that a module imports, wherever in it; "" for what comes from above it."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "" if node.level else (node.module or "").partition(".")[0]
