"""One request to a kernel, and whatever comes back: the reply, the outputs, and when it is over."""

import time
from typing import Any

import zmq
from jupyter_client import BlockingKernelClient

from .outputs import Outputs

GRACE_SECONDS = 3
BROADCASTS = {  # what a kernel may send on its public channel, by Jupyter's protocol
    *("stream", "display_data", "update_display_data", "execute_input", "execute_result", "error", "clear_output"),
    *("status", "debug_event", "iopub_welcome", "comm_open", "comm_msg", "comm_close"),
}


class Conversation:
    """A request that was sent, and what has come back so far.  Believes no message to be well formed.

    content, buffers: the reply, once ``answered``.  idle: whether the kernel says that it is done with the request.
    replied: the requests that have had their reply, kept by all conversations with the same kernel.
    oddities: messages that no kernel sends by itself, in words.  A late output or reply is none.
    """

    def __init__(
        self,
        client: BlockingKernelClient,
        kind: str,
        content: dict[str, Any],
        buffers: list[bytes],
        allowed: int,
        replied: set[str],
    ):
        self._replied = replied
        self.oddities: set[str] = set()
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
        self._reply_kind = kind.replace("_request", "_reply")
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
            if message is None:
                continue
            self._look_for_oddities(message, socket is self._shell)
            if message["parent_header"].get("msg_id") != self._identity:
                continue
            if socket is self._shell:
                self.content, self.buffers = message["content"], message.get("buffers", [])
                self._answered_at = time.monotonic()
                self._replied.add(self._identity)
            elif message["msg_type"] == "status":
                self.idle = self.idle or message["content"].get("execution_state") == "idle"
            else:
                self.outputs.add(message)
        return bool(ready)

    def _receive(self, socket: Any) -> dict[str, Any] | None:
        """One well-formed message, or None: the other side may send anything."""
        try:
            _, message = self._session.recv(socket)
        except zmq.ZMQError:
            return None
        except Exception:  # the parser of the wire protocol raises many kinds for a malformed message
            self.oddities.add("a message that cannot be read")
            return None
        if message is None:
            return None
        wanted = ("parent_header", "content", "header")
        if not isinstance(message, dict) or any(not isinstance(message.get(key), dict) for key in wanted):
            self.oddities.add("a message that cannot be read")
            return None
        return message

    def _look_for_oddities(self, message: dict[str, Any], is_reply: bool) -> None:
        parent, kind = str(message["parent_header"].get("msg_id", "")), str(message["msg_type"])
        if parent and not parent.startswith(self._session.session):
            self.oddities.add("a message about a request that was never made")
        if is_reply and (parent in self._replied or (parent == self._identity and kind != self._reply_kind)):
            self.oddities.add("a reply that nobody asked for")
        if not is_reply and kind not in BROADCASTS:
            self.oddities.add("a message of a kind that no kernel sends")
