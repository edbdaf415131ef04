"""An IPython kernel with one more message: ``probe_request``, answered by the :class:`~probe.requests.Probe`.

Requests do not pass through the student's namespace, input transformers or display hooks.
"""

from typing import Any

import zmq
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp

from .requests import Probe


class ProbedKernel(IPythonKernel):
    """The student's kernel, with the probe loaded before the first student cell."""

    engine: Any = None
    scenarios: Any = None
    msg_types = [*IPythonKernel.msg_types, "probe_request"]

    def __init__(self, **keywords: Any) -> None:
        super().__init__(**keywords)
        shell: Any = self.shell
        self._probe = Probe(self.engine, shell.user_ns, self.scenarios)
        self.shell_handlers["probe_request"] = self.probe_request

    async def probe_request(self, stream: Any, ident: Any, parent: dict[str, Any]) -> None:
        """Answer the judge."""
        content, buffers = self._probe.answer(parent["content"], parent.get("buffers", []))
        session: Any = self.session
        session.send(stream, "probe_reply", content, parent, ident=ident, buffers=buffers)


class ProbedKernelApp(IPKernelApp):
    """Binds the kernel's channels to sockets that the judge opened and handed down.

    So the sandbox needs no folder that both sides can write to.
    """

    kernel_class = ProbedKernel
    sockets: dict[int, int] = {}

    def init_heartbeat(self) -> None:
        """No heartbeat: the judge sees from outside whether the process lives."""

    def _try_bind_socket(self, socket: Any, port: int) -> int:
        inherited = self.sockets.get(port)
        if inherited is not None:
            socket.setsockopt(zmq.USE_FD, inherited)
        return super()._try_bind_socket(socket, port)
