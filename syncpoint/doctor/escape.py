"""Tries to escape from the sandbox as a student's cell could, and reports what it reached."""

import json
import os
import socket
from dataclasses import dataclass
from pathlib import Path

from ..core.messages import words
from ..course.folder import OF_STUDENTS, STATE_FOLDER, Course
from ..judge.errors import DeadKernelError
from ..judge.faults import Fault
from ..judge.kernel import Kernel
from ..sandbox.spec import WRITABLE, SandboxSpec

# Runs inside the sandbox. The judge's side fills in `targets`; the code reports everything that it can reach by name.
CELL = """
import json, os, socket

targets = json.loads(TARGETS)
reached = {what: [] for what in targets["files"]}
reached["the network"], reached["this machine's own services"], reached["writing to this machine"] = [], [], []

def connects(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=2).close()
        return True
    except OSError:
        return False

def has_route():
    # No packet is sent: connecting a UDP socket only looks for a route.  The address is reserved for documentation.
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
            way.connect(("192.0.2.1", 9))
        return True
    except OSError:
        return False

for what, paths in targets["files"].items():
    for path in paths:
        try:
            os.listdir(path) if os.path.isdir(path) else open(path, "rb").close()
        except OSError:
            continue
        reached[what].append(path)
if any(name != "lo" for _, name in socket.if_nameindex()):
    reached["the network"].append("a network interface")
if has_route():
    reached["the network"].append("a route")
if connects(targets["port"]):
    reached["this machine's own services"].append("a port on 127.0.0.1")
for folder in targets["folders"]:
    try:
        path = os.path.join(folder, targets["name"])
        open(path, "w").close()
        os.remove(path)
    except OSError:
        continue
    reached["writing to this machine"].append(folder)
print(json.dumps(reached))
"""
SECONDS = 30


@dataclass(frozen=True)
class Attempt:
    """One kind of escape."""

    what: str
    reached: str  # what was reached; empty if nothing


@dataclass(frozen=True)
class Escape:
    """All attempts from one kernel."""

    seconds: float  # how long the kernel took to start
    attempts: tuple[Attempt, ...]
    unclean: str = ""  # why its sandbox cannot serve another notebook; "" if it can


def attempt_escape(course: Course, sandbox_spec: SandboxSpec) -> Escape:
    with socket.create_server(("127.0.0.1", 0)) as service, Kernel(sandbox_spec) as kernel:
        targets = {
            "files": {what: [str(path) for path in paths] for what, paths in secrets(course).items()},
            "port": service.getsockname()[1],
            "folders": [str(folder) for folder in mounted(course)],
            "name": f".syncpoint-doctor-{os.getpid()}",
        }
        reply = kernel.execute(CELL.replace("TARGETS", repr(json.dumps(targets))), SECONDS)
        if reply.fault is not None:
            raise DeadKernelError(reply.fault)
        if reply.content.get("status") != "ok":
            raise DeadKernelError(Fault("died", words(f"the doctor's cell raised {reply.content.get('ename')}")))
        reached = json.loads(reply.stdout)
    attempts = tuple(Attempt(what, ", ".join(found)[:200]) for what, found in reached.items())
    return Escape(kernel.start_seconds, attempts, kernel.unclean)


def secrets(course: Course) -> dict[str, list[Path]]:
    """Return the paths that a student must not read, by names for the operator."""
    root = course.root
    others = (*OF_STUDENTS, STATE_FOLDER)
    return {
        "the gradebook": [root / "gradebook.db"],
        "graders and solutions": [root / "grader_tests", root / "source", root / "tests"],
        "other submissions and verdicts": [root / name for name in others],
        "the home folder": home(),
    }


def home() -> list[Path]:
    try:
        return sorted(Path.home().iterdir())
    except OSError:
        return []


def mounted(course: Course) -> list[Path]:
    """Return folders that may exist inside but must not be writable."""
    folders = [*map(Path, ("/", "/usr", "/etc", "/opt", "/opt/syncpoint", "/engine", "/python", "/dev")), course.root]
    # Below a writable folder of the sandbox, a path of this machine is another folder inside.
    return [folder for folder in folders if not any(folder.is_relative_to(own) for own in WRITABLE)]
