"""One request to a kernel: its reply, its outputs, and when it is done."""

import select
import time
from collections.abc import Callable
from typing import Any

from jupyter_client.session import Session

from ..core.limits import MIB
from ..observe.outside_call import MAX_REPLY
from ..sandbox.cpu_share import Meter
from ..sandbox.signals import held_back
from .channel import Channel, Frames
from .outputs import Outputs

GRACE_SECONDS = 3
MOST_STARVED = 20  # how many times as long a busy machine may take
MAX_BROADCAST = 8 * MIB
# Parsed JSON takes up to thirty times its bytes: a list in a list takes 72 bytes, and 2 in JSON.
MAX_JSON = 16 * MIB
MAX_VALUES = 1_000_000  # the longest log of a program has some 600,000
MAX_HEADER = 2**16
DELIMITER = bytearray(b"<IDS|MSG>")  # in Jupyter's protocol, precedes signature, JSON and buffers
BROADCASTS = {  # what a kernel may send on its public channel in Jupyter's protocol
    *("stream", "display_data", "update_display_data", "execute_input", "execute_result", "error", "clear_output"),
    *("status", "debug_event", "iopub_welcome", "comm_open", "comm_msg", "comm_close"),
}


class Client:
    """The judge's ends of a kernel's channels."""

    def __init__(self, connection: dict[str, Any]):
        self.session = Session(key=connection["key"].encode(), signature_scheme=connection["signature_scheme"])
        place = f"{connection['ip']}-{{}}"
        self.shell = Channel(place.format(connection["shell_port"]), "DEALER", MAX_REPLY)
        self.iopub = Channel(place.format(connection["iopub_port"]), "SUB", MAX_BROADCAST)
        self.control = Channel(place.format(connection["control_port"]), "DEALER", 0)  # its replies are not needed

    @property
    def channels(self) -> tuple[Channel, ...]:
        return self.shell, self.iopub, self.control

    @property
    def lost(self) -> bool:
        """Whether the kernel closed a channel or wrote an invalid message."""
        return any(channel.lost for channel in self.channels)

    @held_back()  # half a message would break the channel
    def send(self, channel: Channel, kind: str, content: dict[str, Any], buffers: list[bytes]) -> str:
        """Send a message; returns its id."""
        message = self.session.msg(kind, content=content)
        channel.send([*self.session.serialize(message), *buffers])
        return str(message["msg_id"])

    def close(self) -> None:
        for channel in self.channels:
            channel.close()


class Patience:
    """Counts the time in which a kernel could react, without time that other programs took."""

    def __init__(self, meter: Meter):
        self._meter, self._began, self._share = meter, time.monotonic(), meter.read(age=0.0)

    def is_over(self, seconds: float) -> bool:
        """Whether this many seconds have passed for the kernel."""
        passed = time.monotonic() - self._began
        return passed > seconds and (self._meter.own_seconds(self._share) > seconds or passed > MOST_STARVED * seconds)


class Request:
    """A request that was sent, and its replies so far.  No message is trusted to be well formed.

    Args:
        client: The connections to the kernel.
        kind: The message type.
        content: The question, as JSON.
        buffers: Its arrays, in npy format.
        allowed: How many bytes of output are kept.
        done: The ids of the requests that have a reply; all requests to the same kernel share it.
        patience: Starts the time in which the kernel must react.

    Attributes:
        content: The reply, once ``replied``. buffers: Its arrays. size: How many bytes it has. too_much: Whether the
        reply was too large. idle: Whether the kernel has reported that it is done with the request.
        protocol_violations: The codes of messages that an unmodified kernel never sends; late outputs and replies are
        allowed.
    """

    def __init__(
        self,
        client: Client,
        kind: str,
        content: dict[str, Any],
        buffers: list[bytes],
        allowed: int,
        done: set[str],
        patience: Callable[[], Patience],
    ):
        self._client = client
        self._done = done
        self.protocol_violations: set[str] = set()
        self.content: dict[str, Any] = {}
        self.buffers: list[Any] = []
        self.size = 0
        self.too_much = False
        self.outputs = Outputs(allowed)
        self.idle = False
        self._replied_at: float | None = None
        self._begin_patience = patience
        self._patience: Patience | None = None
        self._reply_kind = kind.replace("_request", "_reply")
        client.shell.spilled = client.iopub.spilled = 0
        self._identity = client.send(client.shell, kind, content, buffers)

    @property
    def replied(self) -> bool:
        """Whether the reply has come."""
        return self._replied_at is not None

    @property
    def over(self) -> bool:
        """Whether the request is complete.

        The last status may be lost in a flood, or held back: that keeps nobody waiting for long.  But on a busy machine
        it may only be late, and what comes before it would count for the next request.
        """
        if self._replied_at is None or self.idle:
            return self.replied and self.idle
        if self._patience is None:
            if time.monotonic() > self._replied_at + GRACE_SECONDS:
                self._patience = self._begin_patience()
            return False
        return self._patience.is_over(GRACE_SECONDS)

    @held_back()
    def listen(self) -> bool:
        """Receive messages for a tenth of a second; return whether any arrived."""
        poll, came = select.poll(), False
        wanted = {channel.fileno(): channel for channel in self._client.channels if channel.events}
        for descriptor, channel in wanted.items():
            poll.register(descriptor, channel.events)
        for descriptor, event in poll.poll(100):
            channel = wanted[descriptor]
            if event & select.POLLOUT:
                channel.write()
            if event & ~select.POLLOUT:
                messages = channel.read()
                came = came or not channel.lost
                for message in messages:
                    self._receive(message, channel is self._client.shell)
        self.too_much = self.too_much or self._client.shell.spilled > 0
        self.outputs.size += self._client.iopub.spilled
        self._client.iopub.spilled = 0
        return came

    def _receive(self, frames: Frames, is_reply: bool) -> None:
        size = sum(map(len, frames))
        parts = frames[frames.index(DELIMITER) + 1 :] if DELIMITER in frames else []
        if _too_rich(parts):
            if is_reply:
                self.too_much = True
            else:
                self.outputs.size += size
            return
        message = self._read(parts)
        if message is None:
            self.protocol_violations.add("unreadable_message")
            return
        self._look_for_violations(message, is_reply)
        if message["parent_header"].get("msg_id") != self._identity:
            return
        if is_reply:
            self.content, self.buffers, self.size = message["content"], message.get("buffers", []), size
            self._replied_at = time.monotonic()
            self._done.add(self._identity)
        elif message["msg_type"] == "status":
            self.idle = self.idle or message["content"].get("execution_state") == "idle"
        else:
            self.outputs.add(message)

    def _read(self, parts: Frames) -> dict[str, Any] | None:
        """Return one well-formed message, or None: the other side may send anything."""
        texts: list[Any] = [bytes(part) for part in parts[:5]]
        try:
            message = self._client.session.deserialize([*texts, *parts[5:]])
        except Exception:  # the parser of Jupyter's protocol raises many kinds for a malformed message
            return None
        wanted = ("parent_header", "content", "header")
        well_formed = isinstance(message, dict) and all(isinstance(message.get(key), dict) for key in wanted)
        return message if well_formed else None

    def _look_for_violations(self, message: dict[str, Any], is_reply: bool) -> None:
        parent, kind = str(message["parent_header"].get("msg_id", "")), str(message["msg_type"])
        if parent and not parent.startswith(self._client.session.session):
            self.protocol_violations.add("foreign_message")
        if is_reply and (parent in self._done or (parent == self._identity and kind != self._reply_kind)):
            self.protocol_violations.add("uncalled_reply")
        if not is_reply and kind not in BROADCASTS:
            self.protocol_violations.add("odd_message")


def _too_rich(parts: Frames) -> bool:
    """Whether the parsed JSON of a message would take far more memory than the message."""
    headers, content = parts[1:4], b"".join(parts[4:5])
    values = content.count(b",") + content.count(b"[") + content.count(b"{")
    return any(len(header) > MAX_HEADER for header in headers) or len(content) > MAX_JSON or values > MAX_VALUES
