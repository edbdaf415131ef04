"""Messages over a socket: ``<length u32><kind u8><body>``.

No torch here, no pickle, and no read that can block a reader. Bodies are JSON where they are rare and packed integers
where they are frequent (:mod:`simgpu.wire`).
"""

import json
import os
import select
import socket
import struct
import threading
from collections import deque
from collections.abc import Sequence
from typing import Any, Final

from simgpu.system import is_unix

HEAD = struct.Struct("<IB")
HEAD_SIZE = HEAD.size
ANSWER = struct.Struct("<QQ")
"""The beginning of an answer: the question's number, and the number to acknowledge if it was a wait, else 0."""
COMMAND = struct.Struct("<Q")
"""The number of a failed command, before the error's text."""
MOST = 4 << 20
"""The most bytes of one message from the front end; larger values go through shared memory."""
MOST_OF_JUDGE = 1 << 30
MOST_JSON = 256 << 10
"""The most bytes of JSON in a message from the front end, such as an operation with its constants.  The device process
needs some milliseconds to read it, while a judge may be waiting."""

Buffer = bytes | bytearray | memoryview


class Kind:
    """The kinds of messages. Python 3.11 finds a member of an ``IntEnum`` five times more slowly than a plain number.

    Those in ``COMMANDS`` take a number in the device's order of arrival; the front end counts along.
    """

    PLAN: Final = 1
    LAUNCH: Final = 2
    ASK: Final = 3
    UPLOAD: Final = 4
    DOWNLOAD: Final = 5
    H2D: Final = 6
    D2H: Final = 7
    RECORD: Final = 8
    STREAM_WAIT: Final = 9
    COLLECTIVE: Final = 10
    HOST_WAIT: Final = 11
    FREE: Final = 12
    ALLOCATE: Final = 13
    CALL: Final = 14
    ACKNOWLEDGED: Final = 15
    REPLY: Final = 100
    FAILED: Final = 101
    REFUSED: Final = 102


COMMANDS = frozenset(
    {
        Kind.LAUNCH,
        Kind.ASK,
        Kind.UPLOAD,
        Kind.DOWNLOAD,
        Kind.H2D,
        Kind.D2H,
        Kind.RECORD,
        Kind.STREAM_WAIT,
        Kind.COLLECTIVE,
    }
)


class BadMessage(Exception):
    """A message that this package never sends."""


def message(kind: int, *parts: Buffer) -> list[Buffer]:
    """Return the buffers of one message."""
    return [HEAD.pack(sum(map(len, parts)), kind), *parts]


def json_message(kind: int, value: object, payload: Buffer = b"") -> list[Buffer]:
    """Return a message of ``<length of the JSON u32><JSON><payload>``."""
    text = json.dumps(value, separators=(",", ":")).encode()
    return message(kind, struct.pack("<I", len(text)), text, payload)


def parse_json(body: bytes, most: int = MOST_JSON) -> tuple[dict[str, Any], memoryview]:
    """Parse the body of a ``json_message``.

    Returns:
        The object, and the payload after it.

    Raises:
        BadMessage: it is no JSON object, or one of more than ``most`` bytes.
    """
    try:
        (length,) = struct.unpack_from("<I", body)
        if length > most:
            raise BadMessage(f"JSON of {length} bytes, but the limit is {most}")
        value = json.loads(body[4 : 4 + length])
    except (struct.error, ValueError, RecursionError) as error:
        raise BadMessage("invalid JSON") from error
    if not isinstance(value, dict):
        raise BadMessage("JSON that is not an object")
    return value, memoryview(body)[4 + length :]


def request_of(head: dict[str, Any], key: str = "id") -> int:
    """Return a request's number, which identifies its answer: a stream may answer, and must not fail."""
    number = head[key]
    if type(number) is not int or not 0 <= number < 1 << 64:
        raise BadMessage("invalid request number")
    return number


class Inbox:
    """Splits a socket's bytes into messages, with the file descriptors that arrive with them.

    An inbox that takes no descriptors leaves them to the system, which closes them.

    Attributes:
        fds: The descriptors.
        count: How many bytes have come.
    """

    def __init__(self, sock: socket.socket, most: int = MOST, descriptors: bool = True) -> None:
        self.sock, self.most, self._room = sock, most, 64 if descriptors and is_unix(sock) else 0
        self.fds: deque[int] = deque()
        self.count = 0
        self._data: bytes | bytearray = b""
        self._start = 0

    def fill(self) -> bool:
        """Read the available bytes.

        Returns:
            Whether anything came; from a socket that does not block that may be nothing.

        Raises:
            EOFError: the other side has gone.
        """
        most = min(max(1 << 16, self._missing()), 1 << 22)
        try:
            data = self._with_descriptors(most) if self._room else self.sock.recv(most)
        except BlockingIOError:
            return False
        except ConnectionError as error:
            raise EOFError from error
        if not data:
            raise EOFError
        self.count += len(data)
        if self._start == len(self._data):
            self._data, self._start = data, 0
            return True
        if type(self._data) is bytes:
            self._data, self._start = bytearray(self._data[self._start :]), 0
        self._data += data
        return True

    def take(self) -> tuple[int, bytes] | None:
        """Remove and return the next complete message.

        Returns:
            Its kind and its body; None if it has not come whole.

        Raises:
            BadMessage: it is longer than any valid message.
        """
        data, at = self._data, self._start + HEAD_SIZE
        if at > len(data):
            return None
        length, kind = HEAD.unpack_from(data, self._start)
        if length > self.most:
            raise BadMessage("a message that is too long")
        end = at + length
        if end > len(data):
            return None
        body = data[at:end]
        self._start = end
        if type(data) is bytearray:
            body = bytes(body)
            if end == len(data) or end > 1 << 20:
                del data[:end]
                self._start = 0
        return kind, body  # type: ignore[return-value]

    def skip(self, whole: bytes, most: int) -> int:
        """Remove the next messages while they equal this one.

        Returns:
            How many they were, at most ``most``.
        """
        data, start, size, found = self._data, self._start, len(whole), 0
        while found < most and data.startswith(whole, start):
            start += size
            found += 1
        self._start = start
        return found

    def read(self) -> tuple[int, bytes]:
        """Return the next message; blocks until it has arrived. An interrupted read loses nothing."""
        while (found := self.take()) is None:
            self.fill()
        return found

    def _with_descriptors(self, most: int) -> bytes:
        data, ancillary, *_ = self.sock.recvmsg(most, self._room)
        for _, _, content in ancillary:
            self.fds += struct.unpack(f"{len(content) // 4}i", content[: len(content) // 4 * 4])
        return data

    def _missing(self) -> int:
        held = len(self._data) - self._start
        if held < HEAD_SIZE:
            return HEAD_SIZE - held
        length = HEAD.unpack_from(self._data, self._start)[0]
        if length > self.most:
            raise BadMessage("a message that is too long")
        return int(HEAD_SIZE + length - held)


class Outbox:
    """Sends without blocking the caller: if the socket is full, a thread sends the rest later, in order.

    From then on the socket does not block, for reading either. A reader that never reads costs at most ``most`` bytes
    here; then the session is over (``broken``).
    """

    def __init__(self, sock: socket.socket, most: int = 64 << 20) -> None:
        self.sock, self.most, self.broken = sock, most, False
        sock.setblocking(False)
        self._changed, self._left, self._bytes = threading.Condition(), deque[tuple[Buffer, int | None]](), 0
        self._sender: threading.Thread | None = None

    def put(self, buffers: Sequence[Buffer], fd: int | None = None) -> None:
        """Send all of it, now or later. ``fd`` is sent with the first byte."""
        with self._changed:
            if self.broken:
                return
            whole = b"".join(buffers)
            sent = 0
            if not self._left:
                try:
                    sent = send_some(self.sock, whole, fd)
                except BlockingIOError:
                    sent = 0
                except OSError:
                    self.broken = True
                    return
            if sent < len(whole):
                self._later(memoryview(whole)[sent:], fd if not sent else None)

    def _later(self, rest: Buffer, fd: int | None) -> None:
        self._bytes += len(rest)
        if self._bytes > self.most:
            self.broken = True
            return
        self._left.append((rest, None if fd is None else os.dup(fd)))
        if self._sender is None:
            self._sender = threading.Thread(target=self._work, daemon=True, name="outbox")
            self._sender.start()
        self._changed.notify()

    def close(self) -> None:
        """Send nothing more."""
        with self._changed:
            self.broken = True
            self._changed.notify()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._left or self.broken)
                if self.broken:
                    return
                rest, fd = self._left[0]
            try:
                select.select([], [self.sock], [])
                sent = send_some(self.sock, rest, fd)
            except BlockingIOError:
                continue
            except (OSError, ValueError):
                self.broken = True
                return
            with self._changed:
                self._bytes -= sent
                self._left.popleft()
                if fd is not None:
                    os.close(fd)
                if sent < len(rest):
                    self._left.appendleft((memoryview(rest)[sent:], None))


def send_some(sock: socket.socket, data: Buffer, fd: int | None) -> int:
    """Try to send; return the number of bytes sent."""
    if fd is None:
        return sock.send(data)
    return sock.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", fd))])


def send(sock: socket.socket, buffers: Sequence[Buffer]) -> int:
    """Send a whole message; a full socket blocks.

    Returns:
        How many bytes it was.
    """
    whole = b"".join(buffers)
    sock.sendall(whole)
    return len(whole)
