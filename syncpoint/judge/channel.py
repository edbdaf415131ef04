"""One channel of a kernel, as the judge reads it: whole messages of limited size, without blocking.

It speaks ZMTP 3.0 (https://rfc.zeromq.org/spec/23) with the NULL mechanism over a Unix socket.  ZeroMQ's own library is
not used, because it reads ahead and its limits count frames or messages, not bytes.  Here a byte is read only when
somebody listens; until then it waits in the memory of the sandbox.
"""

import contextlib
import select
import socket
from collections.abc import Generator, Sequence
from typing import Literal

from .errors import Garbled

CHUNK = 2**16  # bytes of one read
FRAME_COST = 128  # bytes that even an empty frame takes here
MAX_COMMAND = 2**12
SIGNATURE = b"\xff" + bytes(8) + b"\x7f"
GREETING = SIGNATURE + bytes([3, 0]) + b"NULL".ljust(20, b"\0") + bytes(32)
MORE, LONG, COMMAND = 1, 2, 4

Frames = list[bytearray]  # the frames of one message


class Channel:
    """The judge's end of a channel.

    Args:
        path: The socket that the kernel listens at.
        kind: The kind of this end, as ZeroMQ names it.
        most: How many bytes a message may have; with 0 nothing is read once it is ready.

    Attributes:
        ready: Whether the other end accepts messages.
        lost: Whether nothing more can come, because the other end closed it or sent something that is not a message.
        spilled: How many bytes of oversized messages were dropped on arrival.
        dropping: Whether an oversized message is still arriving.
    """

    def __init__(self, path: str, kind: Literal["DEALER", "SUB"], most: int):
        self.most, self.spilled, self.dropping, self.ready, self.lost = most, 0, False, False, False
        properties = [(b"Socket-Type", kind.encode()), *([(b"Identity", b"")] if kind == "DEALER" else [])]
        named = (bytes([len(name)]) + name + len(value).to_bytes(4, "big") + value for name, value in properties)
        self._unsent = bytearray(GREETING + _frame(b"\5READY" + b"".join(named), COMMAND))
        self._queued = bytearray(_frame(b"\1") if kind == "SUB" else b"")  # subscribes to everything
        self._chunk = memoryview(b"")  # bytes that were read but not parsed yet
        self._whole: list[Frames] = []
        self._protocol = self._listen()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(path)
        except OSError:  # the kernel has ended
            self.lost = True
        self._socket.setblocking(False)

    def fileno(self) -> int:
        return self._socket.fileno()

    @property
    def events(self) -> int:
        """Return the events to poll for; 0 for none."""
        if self.lost:
            return 0
        reading = select.POLLIN if self.most or not self.ready else 0
        return reading | (select.POLLOUT if self._unsent else 0)

    def close(self) -> None:
        self._socket.close()

    def send(self, parts: Sequence[bytes]) -> None:
        """Send a message, as soon as the other end takes it: :meth:`write` must be called until then."""
        frames = [*(_frame(part, MORE) for part in parts[:-1]), _frame(parts[-1])]
        (self._unsent if self.ready else self._queued).extend(b"".join(frames))
        self.write()

    def write(self) -> None:
        """Write as much as possible now."""
        try:
            while self._unsent and not self.lost:
                del self._unsent[: self._socket.send(self._unsent[:CHUNK])]
        except BlockingIOError:
            pass
        except OSError:
            self.lost = True

    def read(self) -> list[Frames]:
        """Read at most one chunk, and return the messages that are now complete."""
        with contextlib.suppress(BlockingIOError):
            try:
                self._chunk = memoryview(self._socket.recv(CHUNK))
                self.lost = not self._chunk
                next(self._protocol)
            except BlockingIOError:
                raise
            except (OSError, Garbled):
                self.lost = True
        whole, self._whole = self._whole, []
        return whole

    def _listen(self) -> Generator[None, None, None]:
        """Parse incoming frames; pauses when more must be read. Raises Garbled for anything else."""
        greeting = yield from self._take(len(GREETING))
        mechanism = bytes(greeting[12:32]).rstrip(b"\0")
        if (greeting[0], greeting[9], mechanism) != (0xFF, 0x7F, b"NULL") or greeting[10] < 3:
            raise Garbled
        flags, size = yield from self._begin()
        if not flags & COMMAND or size > MAX_COMMAND:
            raise Garbled
        if not (yield from self._take(size)).startswith(b"\5READY"):
            raise Garbled
        self.ready = True
        self._unsent += self._queued
        self.write()
        while True:
            yield from self._message()

    def _message(self) -> Generator[None, None, None]:
        """Receive a message, or drop it."""
        parts: Frames = []
        received, flags = 0, MORE
        while flags & MORE:
            flags, size = yield from self._begin()
            if flags & COMMAND:
                yield from self._drop(size)
                flags |= MORE  # one may be between two frames
                continue
            received += FRAME_COST + size
            if received > self.most and not self.dropping:
                self.dropping, parts = True, []
                self.spilled += received - size
            if self.dropping:
                yield from self._drop(size)
            else:
                parts.append((yield from self._take(size)))
        if not self.dropping:
            self._whole.append(parts)
        self.dropping = False

    def _begin(self) -> Generator[None, None, tuple[int, int]]:
        flags = (yield from self._take(1))[0]
        if flags > MORE | LONG | COMMAND:
            raise Garbled
        return flags, int.from_bytes((yield from self._take(8 if flags & LONG else 1)), "big")

    def _take(self, size: int) -> Generator[None, None, bytearray]:
        taken = bytearray()
        while len(taken) < size:
            if not self._chunk:
                yield
            taken += self._cut(size - len(taken))
        return taken

    def _drop(self, size: int) -> Generator[None, None, None]:
        while size:
            if not self._chunk:
                yield
            dropped = len(self._cut(size))
            self.spilled += dropped
            size -= dropped

    def _cut(self, most: int) -> memoryview:
        piece, self._chunk = self._chunk[:most], self._chunk[most:]
        return piece


def _frame(body: bytes, flags: int = 0) -> bytes:
    short = len(body) < 256
    size = len(body).to_bytes(1 if short else 8, "big")
    return bytes([flags | (0 if short else LONG)]) + size + body
