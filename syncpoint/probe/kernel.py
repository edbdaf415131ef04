"""An IPython kernel with one more message: ``probe_request``, answered by the :class:`~probe.handlers.Probe`.

Requests do not pass through the student's namespace, input transformers or display hooks.  Each reply, to a cell or to
the judge, brings what the :class:`~probe.integrity.IntegrityMonitor` has seen since the last one under "integrity".
"""

import os
import sys
from _json import encode_basestring_ascii, make_encoder
from types import ModuleType
from typing import Any

import zmq
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from ipykernel.zmqshell import ZMQInteractiveShell
from traitlets import Any as AnyTrait
from traitlets import Type

from .handlers import Probe
from .integrity import IntegrityMonitor

_getframe = sys._getframe
# Our own JSON functions: if a notebook replaces the module's, it must not see replies to the judge.
_pieces_of_json = make_encoder(None, str, encode_basestring_ascii, None, ": ", ", ", False, False, True)
PRIVATE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _no_check(line: str) -> None:
    print("Checks are not run while a notebook is graded.")


class Noted(AnyTrait):
    """A trait that reports to the integrity monitor when notebook code reads it."""

    def __get__(self, owner: Any, cls: Any = None) -> Any:
        integrity_monitor = getattr(owner, "integrity_monitor", None)
        if integrity_monitor is not None:
            integrity_monitor.note_reader(_getframe(1), f"{type(owner).__name__}.{self.name}")
        return super().__get__(owner, cls)


class ProbedShell(ZMQInteractiveShell):
    """An IPython shell that watches for changes by cells."""

    integrity_monitor: Any = None
    kernel = Noted()

    async def run_code(self, *arguments: Any, **keywords: Any) -> bool:
        """Run one statement of a cell."""
        failed: bool = await super().run_code(*arguments, **keywords)
        if self.integrity_monitor is not None:
            self.integrity_monitor.note_display_hook()
        return failed


class ProbedKernel(IPythonKernel):
    """The student's kernel, with the probe loaded before the first student cell."""

    engine: Any = None
    engine_modules: tuple[ModuleType, ...] = ()
    scenarios: Any = None
    integrity_monitor: Any = None
    msg_types = [*IPythonKernel.msg_types, "probe_request"]
    shell_class = Type(ProbedShell)
    session = Noted()

    def __init__(self, **keywords: Any) -> None:
        super().__init__(**keywords)
        shell: Any = self.shell
        self._namespace: dict[str, Any] = shell.user_ns
        self._probe = Probe(self.engine, self._namespace, self.scenarios)
        self.shell_handlers["probe_request"] = self.probe_request
        # The notebook's own check, which a student may have left in a cell; it has no effect here.
        shell.register_magic_function(_no_check, "line", "syncpoint")
        self.integrity_monitor = shell.integrity_monitor = IntegrityMonitor(self, PRIVATE)

    async def do_execute(self, *arguments: Any, **keywords: Any) -> dict[str, Any]:
        """Run a cell. With ``keep_names`` in the request, existing names keep their values."""
        names = self._names() if self.get_parent("shell")["content"].get("keep_names") else {}
        self.integrity_monitor.begin()
        reply = await super().do_execute(*arguments, **keywords)
        self._namespace.update(names)
        return {**reply, "integrity": self.integrity_monitor.report()}

    def _names(self) -> dict[str, Any]:
        """Return the notebook's global names and values, without those that IPython updates itself."""
        return {name: value for name, value in self._namespace.items() if not name.startswith("_")}

    async def probe_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Answer the judge."""
        self.integrity_monitor.begin()
        content, buffers = self._probe.reply(parent["content"], parent.get("buffers", []))
        content["integrity"] = self.integrity_monitor.report()
        packed = "".join(_pieces_of_json(content, 0)).encode()
        session: Any = self.session
        session.send(stream, "probe_reply", packed, parent, ident=ident, buffers=buffers)


class ProbedKernelApp(IPKernelApp):
    """Binds the kernel's channels to sockets that the judge opened and passed in.

    So the sandbox needs no folder that both sides can write to, and no file contains the key of the channels.
    """

    kernel_class = ProbedKernel
    connection: dict[str, Any] = {}  # transport, ip, ports by name, and key, from the judge
    sockets: dict[int, int] = {}  # port -> inherited descriptor

    def init_connection_file(self) -> None:
        """Use the connection in the judge's request."""
        self.transport, self.ip = self.connection["transport"], self.connection["ip"]
        for name, port in self.connection["ports"].items():
            setattr(self, name, port)
        self.session.key = self.connection.pop("key").encode()

    def write_connection_file(self, **keywords: Any) -> None:
        """Do nothing: no connection file is needed."""

    def init_heartbeat(self) -> None:
        """Start no heartbeat: the judge sees from outside whether the process runs."""

    def _try_bind_socket(self, socket: Any, port: int) -> int:
        inherited = self.sockets.get(port)
        if inherited is not None:
            socket.setsockopt(zmq.USE_FD, inherited)
        return int(super()._try_bind_socket(socket, port))
