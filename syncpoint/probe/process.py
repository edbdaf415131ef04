"""Loads an engine's process, then forks it for each notebook. No student code ever runs here.

``python -m probe.process FOLDER --control FD --folder NAME [--sweep FOLDER ...]``
"""

import gc
import os
import socket
import traceback

from .confine import confine, stand_alone
from .fork_server import ForkServer, arguments
from .load import load
from .reset import Resetter


def main() -> None:
    """Serve as the command line says, until the judge hangs up."""
    given = arguments("device")
    serve = load(given.engine).serve
    resetter = Resetter(given.sweep) if given.sweep else None
    gc.collect()
    gc.freeze()
    order = ForkServer(socket.socket(fileno=given.control), resetter).serve()
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
