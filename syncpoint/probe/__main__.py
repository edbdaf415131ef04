"""Loads the engine, then serves kernels: ``python -m probe FOLDER --control FD --folder NAME [--sweep FOLDER ...]``."""

import argparse
import contextlib
import gc
import importlib
import socket
import sys

from . import kernel, start
from .contract import InsideEngine
from .fork_server import ForkServer
from .load import ENGINE, load
from .reset import Resetter

# What every kernel would import as it starts; the debugger's library is the largest part, and comes with ipykernel.
STARTING = (
    "ipykernel.debugger IPython.core.completerlib IPython.core.debugger IPython.core.oinspect "
    "IPython.extensions.storemagic tornado.gen tornado.queues tornado.platform.asyncio"
).split()


def load_engine(folder: str) -> InsideEngine:
    """Make the engine whose package ``inside`` lies in this folder.  Raises whatever its modules raise."""
    engine = load(folder).Engine()
    if not isinstance(engine, InsideEngine):
        raise TypeError(f"the Engine of {folder} is no InsideEngine")
    kernel.ProbedKernel.engine_modules = tuple(
        module for name, module in sys.modules.items() if f"{name}.".startswith(f"{ENGINE}.")
    )
    return engine


def main() -> None:
    """Serve as the command line says, until the judge hangs up."""
    parser = argparse.ArgumentParser()
    parser.add_argument("engine", help="the folder of the engine's package `inside`")
    parser.add_argument("--control", type=int, required=True, help="inherited socket of the judge")
    parser.add_argument("--folder", required=True, help="a name by which the judge finds all processes of this sandbox")
    parser.add_argument("--sweep", nargs="*", default=[], help="the folders that can be written, in a sandbox")
    arguments = parser.parse_args()
    for name in STARTING:
        with contextlib.suppress(ImportError):  # another version of ipykernel may lack one
            importlib.import_module(name)
    kernel.ProbedKernel.engine = load_engine(arguments.engine)
    resetter = Resetter(arguments.sweep) if arguments.sweep else None
    # What is loaded by now is shared by all kernels: nothing of it is looked at, and so copied, by their collectors.
    gc.collect()
    gc.freeze()
    order = ForkServer(socket.socket(fileno=arguments.control), resetter).serve()
    if order is not None:
        del arguments, resetter  # the variables of this function are in reach of the notebook
        start.become_kernel(*order)


if __name__ == "__main__":
    main()
