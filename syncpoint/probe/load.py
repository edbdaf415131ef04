"""Imports the engine's part that is mounted next to the probe."""

import importlib.util
import os
import sys
from types import ModuleType

ENGINE = f"{__package__}.engine"  # one name for every engine, so that rules for the probe's modules apply to it


def load(folder: str) -> ModuleType:
    """Return the package in this folder. Raises the errors of its modules."""
    spec = importlib.util.spec_from_file_location(
        ENGINE, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    assert spec is not None and spec.loader is not None
    package = sys.modules[ENGINE] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)
    return package
