"""Names that may stand in somebody's nbgrader_config.py: the old ones lead to the new ones, for one version more."""

import importlib
import warnings
from collections.abc import Callable
from typing import Any


def moved(old: str, new: str) -> Callable[[str], Any]:
    """What a module that was moved has as its ``__getattr__``.  old, new: the dotted names of both."""

    def find(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(importlib.import_module(new), name)
        said = f"{old}.{name} is {new}.{name} now: write that in nbgrader_config.py. The old name goes with the next"
        warnings.warn(f"{said} version.", FutureWarning, stacklevel=2)
        return found

    return find
