"""The wheel for a notebook's check: only the parts of this package that a student's kernel needs.

Its package `syncpoint_check` has the same folders as `syncpoint`, so that it contains the judge's own code.
"""

import functools
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .. import __version__
from ..engines.find import Engine, find, folders
from .wheel import wheel

PACKAGE = Path(__file__).resolve().parent.parent
NAME = "syncpoint_check"
# No judge, grader, scenario or bank; tests/course/test_check_wheel.py lists the modules and their imports.
PARTS = (
    *("core/__init__", "core/errors", "core/explanations_of_tests", "core/language", "core/messages", "core/strip"),
    *("core/texts", "core/timeline_data"),
    *("probe/__init__", "probe/inside_engine", "probe/handlers", "probe/load", "probe/run", "probe/serialization"),
    *("probe/trace", "engines/__init__", "engines/base", "engines/find", "engines/terms"),
    *("report/__init__", "report/html", "report/row", "report/timeline_picture"),
)
FOLDERS = ("observe", "check")
INIT = '''"""Visible checks with gates: ``%syncpoint check EXERCISE`` in a notebook, and what such tests need."""

from .check.magic import load_ipython_extension
from .check.marks import core, hint
from .check.validate import validate
from .core.messages import message
from .observe.device_log import DeviceLog
from .observe.observation import Observation
from .observe.vocabulary import array, first_wait, is_number, joined, kind_of, mixed, race, saw
from .probe.serialization import Device, EngineArray, Opaque
from .probe.trace import Event
'''
# IPython reads this file when a kernel starts, so no notebook needs to load the extension. A notebook that loads it
# fails without the wheel, as during grading.
CONFIG = """c = get_config()
c.InteractiveShellApp.extensions.append("syncpoint_check")
"""
# Jupyter's server has the pages of feedback, with forms for questions.
SERVER = json.dumps({"ServerApp": {"jpserver_extensions": {f"{NAME}.check.feedback_page": True}}})
PYPROJECT = f"""[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "syncpoint-check"
version = "{__version__}"
description = "Notebook checks of what code waits for"
requires-python = ">=3.9"
license = "Apache-2.0"
dependencies = ["numpy", "ipython"]

[tool.setuptools.packages.find]
include = ["{NAME}", "{NAME}.*"]

[tool.setuptools.package-data]
{NAME} = ["engines/engines.json"]

[tool.setuptools.data-files]
"etc/ipython" = ["ipython_kernel_config.py"]
"etc/jupyter/jupyter_server_config.d" = ["{NAME}.json"]
"""


@functools.cache
def check_wheel() -> tuple[str, bytes]:
    """Build the wheel; return its name and content, always the same bytes. Raises CannotBuild or OSError."""
    engines = [find(name) for name, folder in sorted(folders().items()) if folder.parent == PACKAGE / "engines"]
    with tempfile.TemporaryDirectory(prefix="syncpoint-check-") as folder:
        for path in _parts(engines):
            copy = Path(folder, NAME, path.relative_to(PACKAGE))
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
        table = json.dumps({engine.name: _row(engine) for engine in engines}, indent=1, sort_keys=True)
        Path(folder, NAME, "engines", "engines.json").write_text(table, encoding="utf-8")
        Path(folder, NAME, "__init__.py").write_text(INIT, encoding="utf-8")
        Path(folder, "ipython_kernel_config.py").write_text(CONFIG, encoding="utf-8")
        Path(folder, f"{NAME}.json").write_text(SERVER, encoding="utf-8")
        Path(folder, "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
        return wheel.__wrapped__(Path(folder))


def _parts(engines: list[Engine]) -> Iterator[Path]:
    yield from (PACKAGE / f"{name}.py" for name in PARTS)
    for name in FOLDERS:
        yield from sorted((PACKAGE / name).glob("*.py"))
    for engine in engines:  # everything except its process, `device/`, which comes with the engine itself
        yield from sorted(engine.folder.glob("*.py"))
        yield from sorted(engine.part("inside").glob("*.py"))


def _row(engine: Engine) -> dict[str, object]:
    """Return the parts of engine.toml that a check needs; older Pythons cannot read TOML."""
    own = engine.name.upper() + "_"  # prefix of the engine's own variables; the others are the sandbox's
    variables = {key: value for key, value in engine.variables.items() if key.startswith(own) and "{" not in value}
    words = {name: getattr(engine.words, name) for name in ("array", "device", "host_copy", "errors", "waits")}
    return {"kind": engine.kind, "module": engine.environment.check, "variables": variables, "words": words}
