"""The judge's end of the device's socket: requests and answers, limited in size and time.

Answers are JSON followed by bytes, as simgpu's `frames` writes them; nothing in them is trusted.
"""

import json
import socket
import struct
import time
from collections.abc import Callable
from typing import Any

from ..base import EngineGone, TooMuch

HEAD, LENGTH = struct.Struct("<IB"), struct.Struct("<I")
ANSWER = struct.Struct("<IBI")  # the length of an answer, its kind, and the length of its JSON
START_SECONDS, ANSWER_SECONDS = 60.0, 20.0  # limits for the first answer, for which the device loads, and for any other
MOST_JSON = 16 << 20  # parsed JSON takes up to thirty times its bytes
MOST_VALUES = 1_000_000
NO_KERNELS = "Lost"  # the device's error if the process that ran kernels has ended


class Refused(ValueError):
    """The device answered with an error of this type and text."""

    def __init__(self, error: str, text: str):
        super().__init__(f"{error}: {text}")
        self.error = error


class Channel:
    """A socket with one request at a time. After a failure, it accepts no more requests.

    ``sent`` returns how many bytes the front end has sent, if it is in this process: the device reads these first.

    Raises:
        ValueError: If the front end is in another process, and the socket is no Unix socket.
    """

    def __init__(self, judge: socket.socket, sent: Callable[[], int] | None = None):
        if sent is None and judge.family != socket.AF_UNIX:
            raise ValueError("a simulated GPU over TCP is for learning: its memory is not sealed. Grade on Linux")
        self._socket, self._sent = judge, sent
        self._patience = START_SECONDS

    def ask(self, do: str, payload: bytes = b"", limit: int = 0, **head: Any) -> tuple[Any, bytes]:
        """Ask the device; return the answer, and the bytes that come with it, at most ``limit``.

        ``do`` is the question's name, ``head`` the rest of it, as JSON, and ``payload`` is sent with it.

        Raises:
            Refused: If the device refuses the question.
            TooMuch: If the answer is longer than the judge accepts.
            EngineGone: If the device or its kernel process has ended, or does not answer in time.
        """
        if self._sent is not None:
            head["after"] = self._sent()
        question = json.dumps({"do": do, **head}, separators=(",", ":")).encode()
        deadline = time.monotonic() + self._patience
        try:
            body = LENGTH.pack(len(question)) + question
            self._send([HEAD.pack(len(body) + len(payload), 0) + body, payload], deadline)
            length, _, size = ANSWER.unpack(self._read(ANSWER.size, deadline))
            if not LENGTH.size <= length <= MOST_JSON + limit:
                raise EngineGone("the device sent more than was requested")
            if size > length - LENGTH.size:
                raise EngineGone("the device sent something that is not a message")
            body = self._read(length - LENGTH.size, deadline)
            answer, data = body[:size], body[size:]
        except EngineGone:
            self.close()
            raise
        except TimeoutError:
            self.close()
            raise EngineGone("the device does not answer") from None
        except OSError:
            self.close()
            raise EngineGone("the device has ended") from None
        self._patience = ANSWER_SECONDS
        if size > MOST_JSON or answer.count(b",") + answer.count(b"[") + answer.count(b"{") > MOST_VALUES:
            raise TooMuch("the device sent too much data")
        try:
            reply = json.loads(answer)
        except (ValueError, RecursionError):
            raise EngineGone("the device sent something that is not a message") from None
        if isinstance(reply, dict) and set(reply) == {"error", "text"}:
            refused = Refused(str(reply["error"])[:100], str(reply["text"])[:200])
            raise EngineGone(str(refused)) if refused.error == NO_KERNELS else refused
        return reply, data

    def ask_all(self, *parts: dict[str, Any]) -> list[Any]:
        """Send several requests in one message: switching processes costs more than most answers.

        Each has its name and the rest of the question, with the bytes to send under "payload"; no bytes come with the
        answers.

        Raises:
            Refused: If the device refuses a question; it has answered the previous ones.
            TooMuch: As `ask` does.
            EngineGone: As `ask` does.
        """
        payloads = [part.pop("payload", b"") for part in parts]
        asked = [{**part, "bytes": len(payload)} for part, payload in zip(parts, payloads, strict=True)]
        several, _ = self.ask("several", b"".join(payloads), parts=asked)
        try:
            answers = [answer for answer, _ in several]
        except (TypeError, ValueError):
            answers = []
        if len(answers) != len(parts):
            self.close()
            raise EngineGone("the device sent an unexpected answer")
        return answers

    def close(self) -> None:
        self._socket.close()

    def _send(self, parts: list[bytes], deadline: float) -> None:
        for part in filter(None, parts):
            self._socket.settimeout(_remaining(deadline))
            self._socket.sendall(part)

    def _read(self, count: int, deadline: float) -> bytes:
        data = bytearray()
        while len(data) < count:
            self._socket.settimeout(_remaining(deadline))
            part = self._socket.recv(min(count - len(data), 1 << 20))
            if not part:
                raise EngineGone("the device has ended")
            data += part
        return bytes(data)


def _remaining(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
