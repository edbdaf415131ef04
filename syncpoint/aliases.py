"""Old names that may stand in somebody's course lead to new ones, for one version more, and a warning says which.

Dotted names in nbgrader_config.py, and what scenarios import and call (`probe/old_names.py` has these where
they run).
"""

import ast
import functools
import importlib
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

HOOKS = "syncpoint.nbgrader_hooks"
MOVED = {
    "syncpoint.exports.canvas": "syncpoint.platforms.canvas",
    "syncpoint.exports.moodle": "syncpoint.platforms.moodle",
    "syncpoint.feedback_exporter": f"{HOOKS}.feedback_exporter",
    "syncpoint.feedback_release": f"{HOOKS}.feedback_release",
    "syncpoint.judge.check_graders": f"{HOOKS}.check_graders",
    "syncpoint.judge.exporter": f"{HOOKS}.exporter",
    "syncpoint.judge.grade": f"{HOOKS}.preprocessor",
    "syncpoint.late": f"{HOOKS}.late",
    "syncpoint.pages": "syncpoint.report",
    "syncpoint.pages.readable": "syncpoint.report.readable",
    "syncpoint.release_exporter": f"{HOOKS}.release_exporter",
}


class OldNames(MetaPathFinder, Loader):
    """Finds the modules that were moved, each as one that only says where its names are."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module of this old name; None for any other."""
        if fullname not in MOVED:
            return None
        return ModuleSpec(fullname, self, is_package=any(old.startswith(f"{fullname}.") for old in MOVED))

    def exec_module(self, module: ModuleType) -> None:
        """Have it look its names up where they are now."""
        vars(module)["__getattr__"] = moved(module.__name__, MOVED[module.__name__])


def moved(old: str, new: str) -> Callable[[str], Any]:
    """Return what a module that was moved has as its ``__getattr__``.

    Args:
        old: The dotted names of both.
        new: The dotted names of both.
    """

    def find(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(importlib.import_module(new), name)
        said = f"{old}.{name} is {new}.{name} now: write that in nbgrader_config.py. The old name goes with the next"
        warnings.warn(f"{said} version.", FutureWarning, stacklevel=2)
        return found

    return find


@functools.cache
def look_at_scenarios(path: Path, source: bytes) -> None:
    """Warn of each old name that a module of scenarios uses, once.

    Args:
        path: Where it lies, for people.
        source: What it holds; what is no Python is told when it runs.
    """
    names: dict[str, str] = importlib.import_module("syncpoint.probe.old_names").old_names()
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    used: set[str | None] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            used |= {node.attr, ast.unparse(node)}
        elif isinstance(node, ast.alias):
            used |= {node.name}
        elif isinstance(node, ast.ImportFrom):
            used |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
    for old, new in names.items():
        if old in used:
            said = f"{path}: {old} is {new} now: write that. The old name goes with the next version."
            warnings.warn(said, FutureWarning, stacklevel=2)


def install() -> None:
    """Make the old names importable."""
    sys.meta_path.append(OldNames())
