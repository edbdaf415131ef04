"""Loads the engine, then serves kernels: ``python -m probe FOLDER --control FD --folder NAME [--sweep FOLDER ...]``."""

import contextlib
import gc
import importlib
import socket
import sys

from . import kernel, start
from .fork_server import ForkServer, arguments
from .inside_engine import InsideEngine
from .load import ENGINE, load
from .reset import Resetter

# Modules that every kernel would import at its start; ipykernel's debugger is the largest part.
STARTING = (
    "ipykernel.debugger IPython.core.completerlib IPython.core.debugger IPython.core.oinspect "
    "IPython.extensions.storemagic tornado.gen tornado.queues tornado.platform.asyncio"
).split()


def load_engine(folder: str) -> InsideEngine:
    """Create the engine whose package ``inside`` is in this folder. Raises the errors of its modules."""
    engine = load(folder).Engine()
    if not isinstance(engine, InsideEngine):
        raise TypeError(f"the Engine of {folder} is not an InsideEngine")
    kernel.ProbedKernel.engine_modules = tuple(
        module for name, module in sys.modules.items() if f"{name}.".startswith(f"{ENGINE}.")
    )
    return engine


def main() -> None:
    """Serve as the command line says, until the judge hangs up."""
    given = arguments("inside")
    for name in STARTING:
        with contextlib.suppress(ImportError):  # another version of ipykernel may lack one
            importlib.import_module(name)
    kernel.ProbedKernel.engine = load_engine(given.engine)
    resetter = Resetter(given.sweep) if given.sweep else None
    # All kernels share what is loaded now. Frozen objects are skipped by garbage collectors, so their memory is not
    # copied.
    gc.collect()
    gc.freeze()
    order = ForkServer(socket.socket(fileno=given.control), resetter).serve()
    if order is not None:
        del given, resetter  # the notebook can reach this function's variables
        start.become_kernel(*order)


if __name__ == "__main__":
    main()
