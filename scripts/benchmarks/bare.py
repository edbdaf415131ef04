"""The bare process: the engine's Python only runs a notebook's cells, and reports the cost.

Called with the name of the engine; reads a JSON list of sources, prints processor seconds as JSON: of the ``cells``
alone, with the engine imported before, and of the whole ``process``.
"""

import contextlib
import importlib
import json
import sys
import time

from IPython.core.interactiveshell import InteractiveShell


def main(engine: str) -> None:
    """Run the cells from standard input. An error in a cell ends the process."""
    sources = json.load(sys.stdin)
    shell = InteractiveShell.instance()
    importlib.import_module(engine)
    began = time.process_time()
    with contextlib.redirect_stdout(sys.stderr):
        for source in sources:
            shell.run_cell(source).raise_error()
    cells = time.process_time() - began
    print(json.dumps({"cells": cells, "process": time.process_time()}))


if __name__ == "__main__":
    main(sys.argv[1])
