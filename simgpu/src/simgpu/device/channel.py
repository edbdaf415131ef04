"""Channels from the keeper to the kernel process, and the objects that this process keeps for it.

The keeper holds the log, the gates and the sockets. It sends *orders*, and takes nothing that comes back at its word:
an answer is one of three kinds, at most as long as was asked for, and never unpickled.
"""

import json
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from simgpu.frames import HEAD, BadMessage, Buffer, Inbox, json_message
from simgpu.wire import Spec

NUMBER = struct.Struct("<Q")
MOST_TEXT = 2000
"""The most bytes of an error's text."""
MOST_TOGETHER = 64 << 10
"""How many bytes of orders with answers are sent together; the socket holds them while nobody reads the answers."""
MOST_DROPPED = 4096
"""How many numbers one order to drop things may have; the rest goes with later orders."""
MOST_ASKED = 1 << 20
"""The most bytes of an answer in JSON."""


class Order:
    """A message from the keeper. Only messages with an answer can fail."""

    PLAN: Final = 1
    CELL: Final = 2
    DROP: Final = 3
    LAUNCH: Final = 4
    ASK: Final = 5
    DO: Final = 6


class Answer:
    """An answer of the kernel process."""

    DONE: Final = 0
    FAILED: Final = 1
    NOTHING: Final = 2


DONE = HEAD.pack(0, Answer.DONE)
"""The whole answer to a launch."""


class Failed(Exception):
    """A kernel's own message about its failure."""


class Lost(Exception):
    """The kernel process has ended, or was stopped because of an invalid answer."""


class Thing:
    """A numbered object of the kernel process, kept until the keeper drops this reference.

    Attributes:
        number: Its name there, which is never used again.
        known: The channel on which the kernel process received it; True once that has been answered.
    """

    __slots__ = ("_gone", "known", "number")

    def __init__(self, number: int, gone: "deque[int]") -> None:
        self.number, self._gone = number, gone
        self.known: Channel | bool = False

    def __del__(self) -> None:
        if self.known:
            self._gone.append(self.number)


class Cell(Protocol):
    """The data of a storage that the kernel process needs."""

    cell: Thing
    spec: Spec | None

    @property
    def fits(self) -> bool:
        """Whether it fits on the device."""


class Known(Protocol):
    """A plan for the kernel process; ``told`` is a message in JSON."""

    thing: Thing
    told: bytes


class Channel:
    """A socket to a thread of the kernel process; one thread at a time uses it, under its lock.

    Args:
        sock: The keeper's end.
        gone: Numbers of things that are no longer needed.
        lost: Called when nothing more can come, with a reason or "" if the process has ended; returns the sentence.
    """

    def __init__(self, sock: socket.socket, gone: "deque[int]", lost: Callable[[str], str]) -> None:
        self.lock = threading.Lock()
        self._sock, self._gone, self._lost = sock, gone, lost
        self._inbox = Inbox(sock, descriptors=False)
        self._out: list[Buffer] = []

    # ---- out

    def put(self, kind: int, *parts: Buffer) -> None:
        """Queue a message for the next ``send``."""
        self._out.append(HEAD.pack(sum(map(len, parts)), kind))
        self._out += parts

    def put_whole(self, order: bytes) -> None:
        """Do as ``put``, for a message with its head."""
        self._out.append(order)

    def tell_plan(self, plan: Known) -> int:
        """Return the number of a plan, after sending the plan if the kernel process does not have it."""
        thing = plan.thing
        if thing.known is not True and thing.known is not self:
            thing.known = self
            self.put(Order.PLAN, NUMBER.pack(thing.number), plan.told)
        return thing.number

    def tell(self, storage: Cell) -> int:
        """Return the number of a storage's cell, after sending it if the kernel process does not have it."""
        cell = storage.cell
        if cell.known is not True and cell.known is not self:
            cell.known = self
            spec = storage.spec.json() if storage.spec else None
            self.put(Order.CELL, NUMBER.pack(cell.number), json.dumps([spec, storage.fits]).encode())
        return cell.number

    def send(self) -> None:
        """Send the queued messages.

        Raises:
            Lost: the kernel process has ended.
        """
        if self._gone:
            gone = [self._gone.popleft() for _ in range(min(len(self._gone), MOST_DROPPED))]
            self.put(Order.DROP, struct.pack(f"<{len(gone)}Q", *gone))
        out, self._out = b"".join(self._out), []
        try:
            self._sock.sendall(out)
        except OSError:
            raise Lost(self._lost("")) from None

    def ask(
        self,
        do: str,
        uses: Sequence[Cell] = (),
        payload: Buffer = b"",
        most: int = 0,
        patience: float | None = None,
        **head: Any,
    ) -> bytes | None:
        """Send a message that is not a launch, and return its answer.

        Args:
            do: The name of the order.
            uses: The storages that it names, by the numbers of their cells.
            payload: Bytes to send with it.
            most: How many bytes the answer may have.
            patience: A limit in seconds; None: no limit.
            head: The rest of the order.

        Returns:
            The answer; None if there is nothing.

        Raises:
            Failed: it failed.
            Lost: the kernel process has ended.
        """
        (found,) = self.ask_each(do, [(uses, payload, head)], most, patience)
        return found

    def ask_each(
        self,
        do: str,
        orders: Sequence[tuple[Sequence[Cell], Buffer, dict[str, Any]]],
        most: int = 0,
        patience: float | None = None,
    ) -> list[bytes | None]:
        """Send several messages of one kind together, as ``ask`` does: for each its objects, bytes and the rest."""
        found: list[bytes | Exception | None] = []
        with self.lock:
            self._sock.settimeout(patience)
            for number, (uses, payload, head) in enumerate(orders, 1):
                for storage in uses:
                    self.tell(storage)
                self._out += json_message(Order.DO, {"do": do, **head}, payload)
                if number < len(orders) and sum(map(len, self._out)) < MOST_TOGETHER:
                    continue
                self.send()
                while len(found) < number:
                    found += self.answers(number - len(found), most)
        told = [one for one in found if not isinstance(one, Exception)]
        if len(told) < len(found):
            raise next(one for one in found if isinstance(one, Exception))
        return told

    def finish(self, most: int) -> bytes | None:
        """Send the queued messages and read one answer, as ``ask`` does."""
        self.send()
        (found,) = self.answers(1, most)
        if isinstance(found, Exception):
            raise found
        return found

    def refuse(self, why: str) -> Lost:
        """End the kernel process after an invalid answer."""
        return Lost(self._lost(why))

    def answers(self, count: int, most: int = 0) -> list[bytes | Exception | None]:
        """Wait for the next answer.

        Args:
            count: How many are to come.
            most: How many bytes each may have.

        Returns:
            The answer, and those that arrived with it; errors for all if the kernel process is lost.
        """
        found: list[bytes | Exception | None] = []
        self._inbox.most = max(most, MOST_TEXT)
        try:
            while not found or len(found) < count:
                found += [b""] * self._inbox.skip(DONE, count - len(found))
                if len(found) == count:
                    break
                one = self._inbox.take()
                if one is not None:
                    found.append(_parsed(*one, most))
                elif found:
                    break
                else:
                    self._inbox.fill()
        except EOFError:
            return [Lost(self._lost(""))] * count
        except (BadMessage, OSError) as error:
            return [Lost(self._lost(str(error) or "it does not answer"))] * count
        return found


def _parsed(kind: int, body: bytes, most: int) -> bytes | Exception | None:
    if kind == Answer.FAILED and len(body) <= MOST_TEXT:
        return Failed(body.decode(errors="replace"))
    if kind == Answer.DONE and len(body) <= most:
        return body
    if kind == Answer.NOTHING and not body:
        return None
    raise BadMessage(f"an answer of kind {kind} has {len(body)} bytes, but at most {most} were requested")
