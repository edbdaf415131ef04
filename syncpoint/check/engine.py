"""An assignment's engine in a student's process: its inside next to the probe, and a client of its process."""

from __future__ import annotations

import importlib
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import probe
from ..core.messages import say
from ..engines.base import OutsideEngine
from ..engines.find import EngineTerms
from ..engines.terms import use_terms
from ..probe import inside_engine, serialization, trace
from ..probe.load import load
from .errors import CannotCheck

ENGINES = Path(__file__).parent.parent / "engines"
# for each engine, the part of its engine.toml that a check needs; written when the wheel is built
TABLE = "engines.json"
# The names with which an engine's inside imports the probe, as in a sandbox.
NAMES = {
    "probe": probe,
    "probe.inside_engine": inside_engine,
    "probe.serialization": serialization,
    "probe.trace": trace,
}


@dataclass(frozen=True)
class EngineInfo:
    """An engine, from its row in the table."""

    name: str  # the name of its folder
    kind: str  # "inside" the student's process, or a separate "process"
    module: str  # the module that notebooks import
    variables: dict[str, str]  # the engine's environment variables, which it reads at its import
    words: EngineTerms  # the names of its objects

    @classmethod
    def of(cls, name: str) -> EngineInfo:
        """Find an engine. Raises CannotCheck if this wheel does not have it."""
        table = json.loads((ENGINES / TABLE).read_text(encoding="utf-8"))
        if name not in table:
            raise CannotCheck(say("check_newer", engine=name))
        row = table[name]
        return cls(name, row["kind"], row["module"], row["variables"], EngineTerms(**row["words"]))

    def prepare(self) -> None:
        """Set its variables, unless it has been imported."""
        if self.module not in sys.modules:
            for name, value in self.variables.items():
                os.environ.setdefault(name, value)

    @property
    def is_prepared(self) -> bool:
        """Whether its variables are set; without them, gates could hold back unrelated work."""
        return all(name in os.environ for name in self.variables)


@dataclass(frozen=True)
class LocalEngine:
    """An engine that is loaded."""

    inside: Any  # the engine's half for the probe
    outside: OutsideEngine | None  # the client of its process; None for an engine in this process


_loaded: dict[str, LocalEngine] = {}


def local_engine(about: EngineInfo) -> LocalEngine:
    """Load an engine, whose words are used from now on. Raises CannotCheck if it cannot be loaded in this process."""
    if not about.is_prepared:
        raise CannotCheck(say("check_too_late", module=about.module))
    if about.name not in _loaded:
        try:
            inside = _inside(about.name)
            outside = None
            if about.kind == "process":
                outside = importlib.import_module(
                    f"{__package__.rpartition('.')[0]}.engines.{about.name}.local"
                ).outside()
        except Exception as problem:
            raise CannotCheck(say("check_unreachable", module=about.module, why=str(problem))) from problem
        _loaded[about.name] = LocalEngine(inside, outside)
    use_terms(about.words)
    return _loaded[about.name]


def _inside(name: str) -> Any:
    """Let only modules in the engine's folder import the probe by its name in a sandbox."""
    others = {name: sys.modules.pop(name) for name in NAMES if name in sys.modules}
    sys.modules.update(NAMES)
    try:
        return load(str(ENGINES / name / "inside")).Engine()
    finally:
        for known in NAMES:
            del sys.modules[known]
        sys.modules.update(others)
