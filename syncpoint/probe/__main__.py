"""Starts the kernel: ``python -m probe ENGINE [--scenarios FILE] [--limits JSON] -f CONNECTION_FILE``."""

import argparse
import importlib.util
import json
import os
import resource
import sys
import tempfile
from types import ModuleType
from typing import Optional


def limit_resources(limits: dict) -> None:
    """Set the hard limits of this process and its children, before any student code runs."""
    for name, value in limits.items():
        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(kind, (value, value))


def load_scenarios(path: Optional[str]) -> Optional[ModuleType]:
    """Import the course's scenarios of one assignment under a name of their own."""
    if path is None:
        return None
    spec = importlib.util.spec_from_file_location("probe.scenarios", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Start the kernel as the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("engine", choices=["mxnet"])
    parser.add_argument("--scenarios")
    parser.add_argument("--limits", type=json.loads, default={})
    parser.add_argument("--sockets", type=json.loads, default={}, help="channel port -> inherited socket")
    parser.add_argument("-f", dest="connection_file", required=True)
    arguments = parser.parse_args()
    limit_resources(arguments.limits)
    # Not the home folder: there a submission could lay start-up files, and a configuration with a kernel of its own.
    os.environ["IPYTHONDIR"] = tempfile.mkdtemp(prefix="ipython-")

    from . import kernel
    from .mxnet_engine import MXNetEngine

    kernel.ProbedKernel.engine = MXNetEngine()
    kernel.ProbedKernel.scenarios = load_scenarios(arguments.scenarios)
    kernel.ProbedKernelApp.sockets = {int(port): fd for port, fd in arguments.sockets.items()}
    sys.argv = sys.argv[:1]
    # Everything of ours is loaded: a notebook that asks for it gets nothing, and the lookout hears of it.
    for name in [name for name in sys.modules if name.partition(".")[0] == "probe"]:
        del sys.modules[name]
    os.chdir(os.environ.get("HOME", "/"))
    # As in any other kernel, the modules beside the notebook can be imported; they come last and replace nothing.
    sys.path.append("")
    kernel.ProbedKernelApp.launch_instance(["-f", arguments.connection_file, "--HistoryManager.enabled=False"])


if __name__ == "__main__":
    main()
