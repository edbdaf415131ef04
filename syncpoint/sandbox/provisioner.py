"""The Jupyter kernel provisioner: opens the kernel's sockets, hands them down, starts the kernel in its world."""

import contextlib
import os
import socket
import subprocess
import tempfile
from typing import Any

import psutil
from jupyter_client.provisioning import LocalProvisioner
from traitlets import Instance

from .cgroup import ControlGroup, find_parent
from .folder import PrivateFolder, end_processes
from .seccomp import opened_filter
from .usage import Usage, usage_of_processes
from .world import World

PORTS = {"shell_port": 1, "iopub_port": 2, "stdin_port": 3, "control_port": 4}


class SandboxProvisioner(LocalProvisioner):
    """Starts a kernel in the :class:`World` of its kernelspec.

    Sockets are opened here and inherited, so the sandbox shares no writable folder with the machine.
    """

    world = Instance(World)
    _group: ControlGroup | None = None
    _folder: PrivateFolder | None = None
    _inside: list[psutil.Process] = []

    @property
    def _manager(self) -> Any:
        return self.parent

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Choose a private folder for the kernel's sockets.  Raises SandboxUnavailable."""
        self._folder = PrivateFolder()
        manager = self._manager
        manager.transport = "ipc"
        manager.ip = str(self._folder.path / "k")
        manager.connection_file = str(self._folder.connection_file)
        for name, port in PORTS.items():
            setattr(manager, name, port)
        manager.hb_port = len(PORTS) + 1  # unused, but a connection file must name one
        return await super().pre_launch(**kwargs)

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        """Start the kernel in its world with the sockets open."""
        with contextlib.ExitStack() as stack:
            sockets = {port: stack.enter_context(self._listen(port)).fileno() for port in PORTS.values()}
            connection_file = self._manager.connection_file
            inherited = list(sockets.values())
            if self.world.isolation == "bubblewrap":
                filters = stack.enter_context(opened_filter())
                argv, environment, folder = self.world.bubblewrap_argv(sockets, connection_file, filters), {}, "/"
                inherited += filters
            else:
                folder = tempfile.mkdtemp(prefix="home-", dir=os.path.dirname(connection_file))
                argv = self.world.kernel_argv(sockets, connection_file)
                environment = self.world.environment(folder)
                for path in self.world.files:
                    os.symlink(path.absolute(), os.path.join(folder, path.name))
            parent = find_parent()
            if parent is not None:
                self._group = ControlGroup.make(parent, self.world.limits.memory_bytes, self.world.limits.threads)
                argv = self._group.command(argv)
            self._stderr = tempfile.TemporaryFile()
            self.process = subprocess.Popen(
                argv,
                env=environment,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._stderr,
                pass_fds=inherited,
                start_new_session=True,
            )
        self.pid = self.pgid = self.process.pid
        return self.connection_info

    def note_first_process(self) -> None:
        """Remember the first process inside.  Call it before any student code runs."""
        with contextlib.suppress(psutil.NoSuchProcess):  # whoever talks to it next finds out why it is gone
            self._inside = psutil.Process(self.pid).children()

    def usage(self) -> Usage:
        """What the world takes of the machine now."""
        if self.process is None:
            return Usage()
        if self._group is not None:
            return self._group.usage()
        return usage_of_processes(self.process.pid, dear_above=self.world.limits.memory_bytes)

    @property
    def exhausted(self) -> str:
        """What Linux had no more of for this world: "memory", "processes", or "" if nothing is known."""
        return "" if self._group is None else self._group.exhausted

    def end_world(self) -> None:
        """Kill every process of the world.

        Nothing outlives the first process inside.  It dies with bubblewrap, unless student code has traced it and
        told it not to, so it is killed by itself too.
        """
        if self._group is not None:
            self._group.end()
        if self.process is not None:
            self.process.kill()
        for process in self._inside:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()

    async def cleanup(self, restart: bool = False) -> None:
        """Remove the private folder and the control group."""
        self.end_world()
        await super().cleanup(restart)
        if self._group is not None:
            self._group.remove()
            self._group = None
        if self._folder is not None:
            if not self._inside:  # it never was ready: bubblewrap may have died before its child was tied to it
                end_processes(self._folder.connection_file)
            self._folder.remove()
            self._folder = None

    def last_words(self) -> str:
        """The end of what the kernel process wrote to stderr: why it did not start."""
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - 2000))
        return self._stderr.read().decode(errors="replace").strip()

    def _listen(self, port: int) -> socket.socket:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(f"{self._manager.ip}-{port}")
        listener.listen(64)
        return listener
