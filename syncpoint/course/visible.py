"""The visible tests of an assignment: what of them goes into its release, and that nothing hidden goes with them."""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..core.grader_sentences import problems
from ..core.variants import fill
from .check_wheel import NAME, check_wheel
from .errors import NotForStudents
from .folder import Course

VISIBLE_FOLDER = "visible"  # among an assignment's graders, and next to the notebooks of its release
ABOUT = "check.json"  # in the release: the check's data on the assignment
NEVER = frozenset({"syncpoint", "probe", "grader_tests", "scenarios", "bank", "conftest"})


def visible_tests(course: Course, assignment: str, variant: str = "") -> dict[str, str]:
    """Return the visible tests as students get them, by file name; each test names the interface of its arrays.

    ``variant`` is the student's; by default that of the release.

    Raises:
        NotForStudents: If one imports a hidden test, one of its helpers, or a part of the judge, is not Python, or
            has a sentence whose places and values differ.
        OSError: If one cannot be read.
    """
    modules = dict(sorted(course.graders(assignment).modules(VISIBLE_FOLDER).items()))
    own = {path.stem for path in modules.values()}
    above = (*course.graders(assignment).modules().values(), *(course.root / "grader_tests").glob("*.py"))
    _check(modules.values(), NEVER | {path.stem for path in above}, own)
    settings = course.graders(assignment).settings()
    variant = variant or settings.variants.number()
    return {
        name: _with_interface(
            fill(path.read_text("utf-8"), variant), settings.interface if name.startswith("test_") else None
        )
        for name, path in modules.items()
    }


def _check(modules: Iterable[Path], hidden: frozenset[str], own: set[str]) -> None:
    for path in modules:
        try:
            first = {name.partition(".")[0] for name in imported(path)}
        except (SyntaxError, ValueError) as error:
            raise NotForStudents(f"{path} is not valid Python: {error}") from None
        for name in sorted(first):
            if name in NEVER or (name in hidden and name not in own) or not name:
                raise NotForStudents(
                    f"{path} imports {name or 'from above'}, which students do not have: a visible test may import "
                    f"only {NAME}, the engine, Python's standard library, and modules next to it."
                )
        for why in problems(path.read_bytes()):
            raise NotForStudents(f"{path} has a sentence that cannot be shown: {why}.")


def add_visible(course: Course, assignment: str, folder: Path) -> None:
    """Add to a release its visible tests, and the wheel, which has also what every grade cell runs."""
    tests = visible_tests(course, assignment)
    target = Path(folder, VISIBLE_FOLDER)
    target.mkdir(exist_ok=True)
    for module, text in tests.items():
        (target / module).write_text(text, encoding="utf-8")
    about = {"engine": course.settings_of(assignment).engine} if tests else {}
    (target / ABOUT).write_text(json.dumps(about) + "\n", encoding="utf-8")
    name, content = check_wheel()
    Path(folder, name).write_bytes(content)


def _with_interface(text: str, interface: str | None) -> str:
    """Return a module with a line ``INTERFACE = ...`` after its imports, unless it has its own or needs none."""
    if interface is None or re.search("^INTERFACE = ", text, re.MULTILINE):
        return text
    ends = (node.end_lineno or 0 for node in ast.parse(text).body if isinstance(node, (ast.Import, ast.ImportFrom)))
    lines = text.splitlines(keepends=True)
    lines.insert(max(ends, default=0), f'\nINTERFACE = "{interface}"\n')
    return "".join(lines)


def imported(path: Path) -> Iterator[str]:
    """The names of all that a module imports, wherever in it; what comes from above begins with a dot."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")
