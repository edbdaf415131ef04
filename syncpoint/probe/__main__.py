"""Loads the engine, then serves kernels: ``python -m probe ENGINE --control FD --folder NAME [--sweep FOLDER ...]``."""

import argparse
import contextlib
import gc
import importlib
import socket

from . import kernel, start
from .cleaning import Cleaner
from .fork_server import ForkServer
from .mxnet_engine import MXNetEngine

# What every kernel would import as it starts; the debugger's library is the largest part, and comes with ipykernel.
STARTING = (
    "ipykernel.debugger IPython.core.completerlib IPython.core.debugger IPython.core.oinspect "
    "IPython.extensions.storemagic tornado.gen tornado.queues tornado.platform.asyncio"
).split()


def main() -> None:
    """Serve as the command line says, until the judge hangs up."""
    parser = argparse.ArgumentParser()
    parser.add_argument("engine", choices=["mxnet"])
    parser.add_argument("--control", type=int, required=True, help="inherited socket of the judge")
    parser.add_argument("--folder", required=True, help="a name by which the judge finds all processes of this world")
    parser.add_argument("--sweep", nargs="*", default=[], help="the folders that can be written, in a sandbox")
    arguments = parser.parse_args()
    for name in STARTING:
        with contextlib.suppress(ImportError):  # another version of ipykernel may lack one
            importlib.import_module(name)
    kernel.ProbedKernel.engine = MXNetEngine()
    cleaner = Cleaner(arguments.sweep) if arguments.sweep else None
    # What is loaded by now is shared by all kernels: nothing of it is looked at, and so copied, by their collectors.
    gc.collect()
    gc.freeze()
    order = ForkServer(socket.socket(fileno=arguments.control), cleaner).serve()
    if order is not None:
        del arguments, cleaner  # the variables of this function are in reach of the notebook
        start.become_kernel(*order)


if __name__ == "__main__":
    main()
