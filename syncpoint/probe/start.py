"""Becomes the kernel of one notebook, in a process forked from the fork server."""

import linecache
import os
import random
import sys
import tarfile
import tempfile
import traceback
from types import ModuleType
from typing import Any, NoReturn, Optional

import numpy as np

from . import kernel
from .confine import confine, stand_alone

FILES, SCENARIOS = "files/", "scenarios.py"  # their places in the request's archive
PRIVATE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def become_kernel(order: dict[str, Any], descriptors: list[int]) -> NoReturn:
    """Start the kernel of a request, and end with it.

    ``order`` has limits, niceness, connection, and whether there is a ``front_end``.  The descriptors are those of the
    archive of files and scenarios, stderr, the sockets of the channels in the order of ``connection["ports"]``, and the
    front end's socket to the engine's process.
    """
    try:
        _start(order, descriptors)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _start(order: dict[str, Any], descriptors: list[int]) -> None:
    archive, stderr, *sockets = descriptors
    stand_alone(stderr, {archive, *sockets})
    home = os.environ["HOME"]
    os.chdir(home)
    scenarios = _unpack(archive, home)
    # As in a new process. The engine has not drawn a number yet, and Python's generator seeds itself.
    random.seed()
    np.random.seed()
    confine(order)
    # Not the home folder: a submission could put start-up files or a kernel configuration there.
    os.environ["IPYTHONDIR"] = tempfile.mkdtemp(prefix="ipython-")
    kernel.ProbedKernel.scenarios = load_scenarios(scenarios)
    connection = order.pop("connection")
    kernel.ProbedKernelApp.connection = connection
    kernel.ProbedKernelApp.sockets = dict(zip(connection["ports"].values(), sockets[:4]))
    if order["front_end"]:
        kernel.ProbedKernel.engine.connect(sockets[-1])
    launch = kernel.ProbedKernelApp.launch_instance
    sys.argv = sys.argv[:1]
    # All our modules are loaded: a notebook that imports one gets nothing, and the integrity monitor reports it.
    for name in [name for name in sys.modules if name.partition(".")[0] == "probe"]:
        del sys.modules[name]
    # Modules next to the notebook can be imported; they come last, so that they replace no installed module.
    sys.path.append("")
    launch(["--HistoryManager.enabled=False"])


def load_scenarios(source: Optional[bytes]) -> Optional[ModuleType]:
    """Load the course's scenarios of one assignment as a module with its own name."""
    if source is None:
        return None
    module = ModuleType("probe.scenarios")
    module.__package__ = "probe"
    place = f"{PRIVATE}/{SCENARIOS}"
    text = source.decode()
    # A scenario may read its own source, and a traceback shows it.
    linecache.cache[place] = len(text), None, text.splitlines(keepends=True), place
    exec(compile(text, place, "exec"), vars(module))
    return module


def _unpack(archive: int, home: str) -> Optional[bytes]:
    """Unpack the judge's archive into the home folder; return the scenarios' source."""
    scenarios = None
    with open(archive, "rb") as file, tarfile.open(fileobj=file) as members:
        for member in members:
            content = members.extractfile(member)
            assert content is not None
            if member.name == SCENARIOS:
                scenarios = content.read()
                continue
            path = os.path.join(home, member.name[len(FILES) :])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as copy:
                copy.write(content.read())
    return scenarios
