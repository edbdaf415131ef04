"""Loads an engine's process, then forks one for each notebook: no student code is ever here.

``python -m probe.process FOLDER --control FD --folder NAME [--sweep FOLDER ...]``
"""

import argparse
import gc
import os
import socket
import traceback

from .confine import confine, stand_alone
from .fork_server import ForkServer
from .load import load
from .reset import Resetter


def main() -> None:
    """Serve as the command line says, until the judge hangs up."""
    parser = argparse.ArgumentParser()
    parser.add_argument("engine", help="the folder of the engine's package `device`")
    parser.add_argument("--control", type=int, required=True, help="inherited socket of the judge")
    parser.add_argument("--folder", required=True, help="a name by which the judge finds all processes of this sandbox")
    parser.add_argument("--sweep", nargs="*", default=[], help="the folders that can be written, in a sandbox")
    arguments = parser.parse_args()
    serve = load(arguments.engine).serve
    resetter = Resetter(arguments.sweep) if arguments.sweep else None
    gc.collect()
    gc.freeze()
    order = ForkServer(socket.socket(fileno=arguments.control), resetter).serve()
    if order is None:
        return
    try:
        wanted, (stderr, front_end, judge) = order
        stand_alone(stderr, {front_end, judge})
        confine(wanted)
        serve(front_end, judge, wanted["memory"])
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    main()
