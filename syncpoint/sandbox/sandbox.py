"""A sandbox with the engine loaded, seen from outside: starts and ends one kernel after another in it."""

import contextlib
import io
import json
import os
import socket
import subprocess
import tarfile
import tempfile
import threading
from dataclasses import replace
from typing import Any
from uuid import uuid4

import psutil

from .cgroup import ControlGroup, find_parent
from .cpu_share import Turn, turns_of
from .folder import PrivateFolder, end_processes
from .memory import opened
from .spec import NICE, WRITABLE, SandboxSpec
from .stderr import Stderr
from .usage import Usage, cpu_seconds_of, numbers_of, processes_of, threads_of, usage_of_processes

CHANNELS = ("shell_port", "iopub_port", "stdin_port", "control_port")
CLEAN_SECONDS = 5
MAX_NEWS = 1 << 12
KILLED = -9
LOST = (KILLED, 128 - KILLED, 255)  # bubblewrap was killed; its child was killed; it cannot say what ended the child


class Sandbox:
    """The processes of one sandbox.  At most one kernel at a time runs in it.

    Sockets are opened here and passed in, so the sandbox shares no writable folder with the machine.

    Raises:
        SandboxUnavailable: If it cannot be started.
        OSError: If it cannot be started.
    """

    def __init__(self, spec: SandboxSpec):
        self._folder = PrivateFolder()
        self._group: ControlGroup | None = None
        self._kernels = 0
        self._ended: int | None = None
        self._before = Usage()
        self._kernel: psutil.Process | None = None
        self._server: psutil.Process | None = None
        self._stderr, self._servers_stderr = Stderr(), Stderr()
        self.unclean = ""
        self.thread = threading.get_ident()  # bubblewrap ends with the thread that started it
        self.spec = spec
        try:
            self._launch()
        except BaseException:
            self._close_stderr()
            self._remove()
            raise

    def start_kernel(self, spec: SandboxSpec, front_end: socket.socket | None = None) -> dict[str, Any]:
        """Start a kernel with the files and scenarios of a spec.

        ``front_end`` is its socket to the engine's process, if there is one. It may take a while to listen: the sockets
        are open, and keep what comes in.
        """
        self._begin()
        ports = {name: 10 * self._kernels + place for place, name in enumerate(CHANNELS)}
        # Unused, but client and kernel require a number.
        ports["hb_port"] = 10 * self._kernels + len(CHANNELS)
        connection = {"transport": "ipc", "ip": "k", "ports": ports, "key": uuid4().hex}
        ends = [] if front_end is None else [front_end.fileno()]
        with contextlib.ExitStack() as stack:
            archive = stack.enter_context(opened(_archive(spec)))
            stderr = stack.enter_context(self._stderr.writing())
            listeners = [stack.enter_context(self._listen(ports[name])) for name in CHANNELS]
            descriptors = [archive.fileno(), stderr, *(listener.fileno() for listener in listeners), *ends]
            self._order(spec, descriptors, connection=connection, front_end=bool(ends))
        ours = {"transport": "ipc", "ip": str(self._folder.path / "k"), "key": connection["key"], **ports}
        return {**ours, "signature_scheme": "hmac-sha256"}

    def start_device(self, spec: SandboxSpec, front_end: socket.socket, judge: socket.socket, memory: int) -> None:
        """Request an engine process with these two sockets and this many bytes for each device."""
        self._begin()
        with self._stderr.writing() as stderr:
            self._order(spec, [stderr, front_end.fileno(), judge.fileno()], memory=memory)

    def _begin(self) -> None:
        self._kernels += 1
        self._ended, self._kernel = None, None
        self._before = self.usage_of_sandbox()
        self._stderr.close()
        self._stderr = Stderr()

    def _order(self, spec: SandboxSpec, descriptors: list[int], **more: Any) -> None:
        order = {"do": "start", "limits": spec.resource_limits(), "nice": NICE, **more}
        with contextlib.suppress(OSError):  # it has ended: the next user of the kernel finds out
            socket.send_fds(self._control, [json.dumps(order).encode()], descriptors)

    def count_from_here(self) -> None:
        """Do not count current use for the student: libraries, and memory of a fork that is not written yet."""
        self._before = self.usage_of_sandbox()

    def note_kernel(self) -> psutil.Process | None:
        """Return the kernel's process. Call it when the kernel is ready, before any student code runs."""
        self._servers_stderr.close()  # it has started: from here on nobody reads what student code writes there
        with contextlib.suppress(psutil.Error):
            outer = psutil.Process(self._process.pid)
            self._server = outer if self.spec.isolation == "none" else outer.children()[0]
            self._kernel = self._server.children()[0]
        return self._kernel

    @property
    def exit_code(self) -> int | None:
        """How the kernel ended: its status, minus a signal's number, or None while it runs."""
        if self._ended is None:
            news = self._news(0)
            if "ended" in news:
                self._ended = os.waitstatus_to_exitcode(news["ended"])
        if self._ended is None and self._process.poll() is not None:
            self._ended = KILLED if self._process.returncode in LOST else self._process.returncode
        return self._ended

    def clean(self) -> bool:
        """End the kernel and everything that it left.

        Returns whether the sandbox is as good as new; else ``unclean`` says why.
        """
        if self.spec.isolation == "none":
            self.unclean = "without a sandbox, nothing can be cleaned up"
        elif self.exhausted or self._process.poll() is not None:
            self.unclean = "it has ended"
        else:
            self.unclean = self._have_it_cleaned()
        if self.unclean:
            return False
        for path in self._folder.path.glob("k-*"):
            path.unlink()
        return True

    def _have_it_cleaned(self) -> str:
        """Let the server clean its sandbox; return why that failed, or ""."""
        with contextlib.suppress(OSError):
            self._control.send(json.dumps({"do": "clean"}).encode())
        while news := self._news(CLEAN_SECONDS):
            if "unclean" in news:
                return str(news["unclean"])
            if "clean" in news:
                return ""
        return "it does not answer"

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    @property
    def processes(self) -> list[psutil.Process]:
        """All processes in the sandbox; none once it has ended."""
        return processes_of(self._process.pid)[1:]

    def usage(self) -> Usage:
        """The resources of the kernel and everything it started, without those of the empty sandbox."""
        now = self.usage_of_sandbox()
        taken = now - self._before
        return replace(taken, memory=max(0, taken.memory), sessions=now.sessions)

    def usage_of_sandbox(self) -> Usage:
        """The resources that the whole sandbox uses now."""
        if self._group is not None:
            return self._group.usage()
        folders = WRITABLE if self.spec.isolation == "bubblewrap" else ()
        return usage_of_processes(self._process.pid, self.spec.limits.memory_bytes, folders)

    def turns(self) -> tuple[dict[int, Turn], float]:
        """The threads of the sandbox by number, and its processor seconds."""
        if self._group is not None:
            return turns_of(self._group.threads()), self._group.cpu_seconds
        numbers = numbers_of(self._process.pid)
        return turns_of([thread for number in numbers for thread in threads_of(number)]), cpu_seconds_of(numbers)

    @property
    def exhausted(self) -> str:
        """The resource that this sandbox ran out of: "memory", "threads", or "" if none is known."""
        return "" if self._group is None else self._group.exhausted

    def kill(self) -> None:
        """Kill every process of the sandbox.

        Nothing outlives the first process inside.  It ends with bubblewrap, and is also killed separately.
        """
        if self._group is not None:
            self._group.end()
        self._process.kill()
        for process in filter(None, (self._server, self._kernel)):
            with contextlib.suppress(psutil.Error):
                process.kill()

    def end(self) -> None:
        """Kill every process of the sandbox, and remove its folder."""
        self.kill()
        self._process.wait()
        self._control.close()
        self._close_stderr()
        self._remove()

    def stderr_tail(self) -> str:
        """The end of the stderr of the kernel or its starter: why it did not start."""
        output = self._stderr.read() or self._servers_stderr.read()
        return output[-2000:].decode(errors="replace").strip()

    def _close_stderr(self) -> None:
        for stderr in (self._stderr, self._servers_stderr):
            stderr.close()

    def _launch(self) -> None:
        spec, marker = self.spec, self._folder.marker
        self._control, inside = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with contextlib.ExitStack() as stack:
            stack.enter_context(inside)
            inherited = [inside.fileno()]
            if spec.isolation == "bubblewrap":
                argv, wanted = stack.enter_context(spec.bubblewrap_argv(inside.fileno(), marker))
                environment, folder = {}, "/"
                inherited += wanted
            else:
                folder = tempfile.mkdtemp(prefix="home-", dir=self._folder.path)
                argv, environment = spec.server_argv(inside.fileno(), marker), spec.environment(folder)
            parent = find_parent()
            if parent is not None:
                self._group = ControlGroup.make(parent, spec.limits.memory_bytes, spec.limits.refused_threads)
                argv = self._group.command(argv)
            self._process = subprocess.Popen(
                argv,
                env=environment,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stack.enter_context(self._servers_stderr.writing()),
                pass_fds=inherited,
                start_new_session=True,
            )

    def _news(self, seconds: float) -> dict[str, Any]:
        """Return the server's message within this many seconds; empty if there is none or it hangs up."""
        self._control.settimeout(seconds)
        with contextlib.suppress(OSError, ValueError):
            data = self._control.recv(MAX_NEWS)
            return dict(json.loads(data)) if data else {}
        return {}

    def _listen(self, port: int) -> socket.socket:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(f"{self._folder.shown}/k-{port}")
        listener.listen(64)
        return listener

    def _remove(self) -> None:
        if self._group is not None:
            self._group.remove()
        if self._server is None:  # no kernel was ever ready: bubblewrap may have died before its child was tied to it
            end_processes(self._folder.marker)
        self._folder.remove()


def _archive(spec: SandboxSpec) -> bytes:
    """The files next to the notebook in the kernel's folder, and the scenarios."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        members = [(f"files/{name}", content) for name, content in spec.files]
        if spec.scenarios is not None:
            members.append(("scenarios.py", spec.scenarios))
        for name, content in members:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return file.getvalue()
