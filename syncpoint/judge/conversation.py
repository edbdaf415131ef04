"""One request to a kernel, and whatever comes back: the reply, the outputs, and when it is over."""

import time
from typing import Any

import zmq
from jupyter_client import BlockingKernelClient

from .outputs import Outputs

GRACE_SECONDS = 3


class Conversation:
    """A request that was sent, and what has come back so far.  Believes no message to be well formed.

    content, buffers: the reply, once ``answered``.  idle: whether the kernel says that it is done with the request.
    """

    def __init__(
        self, client: BlockingKernelClient, kind: str, content: dict[str, Any], buffers: list[bytes], allowed: int
    ):
        self.content: dict[str, Any] = {}
        self.buffers: list[Any] = []
        self.outputs = Outputs(allowed)
        self.idle = False
        self._answered_at: float | None = None
        self._session = client.session
        self._shell, self._iopub = client.shell_channel.socket, client.iopub_channel.socket
        self._poller = zmq.Poller()
        self._poller.register(self._shell, zmq.POLLIN)
        self._poller.register(self._iopub, zmq.POLLIN)
        self._identity = self._session.send(self._shell, kind, content, buffers=buffers)["header"]["msg_id"]

    @property
    def answered(self) -> bool:
        """Whether the reply has come."""
        return self._answered_at is not None

    @property
    def over(self) -> bool:
        """Whether nothing more is to come.

        The last status may be lost in a flood, or held back: that keeps nobody waiting for long.
        """
        if self._answered_at is None:
            return False
        return self.idle or time.monotonic() > self._answered_at + GRACE_SECONDS

    def listen(self) -> bool:
        """Take in what comes within a tenth of a second; returns whether anything came."""
        ready = dict(self._poller.poll(100))
        for socket in ready:
            message = self._receive(socket)
            if message is None or message["parent_header"].get("msg_id") != self._identity:
                continue
            if socket is self._shell:
                self.content, self.buffers = message["content"], message.get("buffers", [])
                self._answered_at = time.monotonic()
            elif message["msg_type"] == "status":
                self.idle = self.idle or message["content"].get("execution_state") == "idle"
            else:
                self.outputs.add(message)
        return bool(ready)

    def _receive(self, socket: Any) -> dict[str, Any] | None:
        """One well-formed message, or None: the other side may send anything."""
        try:
            _, message = self._session.recv(socket)
        except Exception:  # the parser of the wire protocol raises many kinds for a malformed message
            return None
        wanted = ("parent_header", "content", "header")
        if not isinstance(message, dict) or any(not isinstance(message.get(key), dict) for key in wanted):
            return None
        return message
