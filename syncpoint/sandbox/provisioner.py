"""The Jupyter kernel provisioner: opens the kernel's sockets, hands them down, starts the kernel in its world."""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import psutil
from jupyter_client.provisioning import LocalProvisioner
from traitlets import Instance

from .world import World

PORTS = {"shell_port": 1, "iopub_port": 2, "stdin_port": 3, "control_port": 4}


class SandboxProvisioner(LocalProvisioner):
    """Starts a kernel in the :class:`World` of its kernelspec.

    Sockets are opened here and inherited, so the sandbox shares no writable folder with the machine.
    """

    world = Instance(World)
    _inside: list[psutil.Process] = []

    @property
    def _manager(self) -> Any:
        return self.parent

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Choose a private folder for the kernel's sockets."""
        # A short path: a unix socket's name may have at most 107 bytes.
        self.folder = tempfile.mkdtemp(prefix="sp-", dir=_short_temporary_folder())
        manager = self._manager
        manager.transport = "ipc"
        manager.ip = os.path.join(self.folder, "k")
        manager.connection_file = os.path.join(self.folder, "connection.json")
        for name, port in PORTS.items():
            setattr(manager, name, port)
        manager.hb_port = len(PORTS) + 1  # unused, but a connection file must name one
        return await super().pre_launch(**kwargs)

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        """Start the kernel in its world with the sockets open."""
        with contextlib.ExitStack() as stack:
            sockets = {port: stack.enter_context(self._listen(port)).fileno() for port in PORTS.values()}
            connection_file = self._manager.connection_file
            if self.world.isolation == "bubblewrap":
                argv, environment, folder = self.world.bubblewrap_argv(sockets, connection_file), {}, "/"
            else:
                folder = tempfile.mkdtemp(prefix="home-", dir=self.folder)
                argv = self.world.kernel_argv(sockets, connection_file)
                environment = self.world.environment(folder)
                for path in self.world.files:
                    os.symlink(path.absolute(), os.path.join(folder, path.name))
            self._stderr = tempfile.TemporaryFile()
            self.process = subprocess.Popen(
                argv,
                env=environment,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._stderr,
                pass_fds=list(sockets.values()),
                start_new_session=True,
            )
        self.pid = self.pgid = self.process.pid
        return self.connection_info

    def note_first_process(self) -> None:
        """Remember the first process inside.  Call it before any student code runs."""
        self._inside = psutil.Process(self.pid).children()

    def end_world(self) -> None:
        """Kill every process of the world.

        Nothing outlives the first process inside.  It dies with bubblewrap, unless student code has traced it and
        told it not to, so it is killed by itself too.
        """
        if self.process is not None:
            self.process.kill()
        for process in self._inside:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()

    async def cleanup(self, restart: bool = False) -> None:
        """Remove the private folder."""
        self.end_world()
        await super().cleanup(restart)
        shutil.rmtree(self.folder, ignore_errors=True)

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


def _short_temporary_folder() -> str:
    wanted = tempfile.gettempdir()
    return wanted if len(wanted) < 60 or not Path("/tmp").is_dir() else "/tmp"
