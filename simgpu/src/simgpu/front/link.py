"""The connection to the device: commands are sent and counted, answers arrive by request."""

import contextlib
import gc
import itertools
import json
import os
import select
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import torch

from simgpu import system, transport
from simgpu.frames import ANSWER, COMMAND, COMMANDS, MOST_JSON, Buffer, Inbox, Kind, json_message, message, send
from simgpu.front import places, state, threads, waiting_ranks
from simgpu.front.errors import DeviceLost, LateError, StalePlan
from simgpu.limits import Limits

ENVIRONMENT = "SIMGPU_FD"
"""The variable that names a judge's open socket; without it, this process starts its own device."""
PLAN_OVERHEAD = 64
"""Bytes that a plan's message needs in addition to its JSON, with a margin; a judge may count fewer."""

QUEUED = COMMANDS - {Kind.ASK, Kind.UPLOAD, Kind.DOWNLOAD}  # the others wait for an answer


OPTIONS: list[str] = []
"""Options of the device process; those of the environment come after them."""


class Link:
    """The socket to the device, shared by all threads.

    Attributes:
        number: The last command's number, the same as the device's.
        asked: The last question's number.
        sent: How many bytes have been sent.
        oldest_plan: Plans with smaller numbers are forgotten.
        allocated: The allocated bytes of each device.
        refused: How many allocations of each device failed before the device was asked; less those of the device
            itself before ``reset_accumulated_memory_stats``.
        older: How many of these bytes were allocated when a judge's request began; they do not count for it.
        judge_socket: The judge's end, if this process started the device.
        note: Called with the number of each command that is sent, or None.
    """

    def __init__(self) -> None:
        self.number = self.plans = self.asked = self.sent = 0
        self.oldest_plan = 1
        self._plan_bytes, self._defined = 0, dict[str, int]()
        self.forked = False
        self.judge_socket: socket.socket | None = None
        self.note: Callable[[int], None] | None = None
        self.dead: deque[tuple[int, int, int]] = deque()
        self._sending, self._changed, self._reading = threading.Lock(), threading.Condition(), False
        self._requests, self._answers = itertools.count(1), dict[int, tuple[int, int, bytes]]()
        self._lost: str | None = None
        if ENVIRONMENT in os.environ:  # started by a judge, which requests the lines of a call itself
            self.socket = transport.inherited(int(os.environ[ENVIRONMENT]))
        else:
            self.note = places.note
            options = [*OPTIONS, *os.environ.get("SIMGPU_DEVICE_OPTIONS", "").split()]
            self.socket, self.judge_socket, self.process = transport.start(options)
        self.inbox = Inbox(self.socket)
        self.limits = Limits()
        self.allocated, self.older, self.refused = [0] * 64, [0] * 64, [0] * 64
        self.limits = Limits(**self.call("hello"))
        self._queued = [0] * self.limits.devices
        self._launch_queue_full_at = [self.limits.queue // 2] * self.limits.devices
        system.after_fork(self._was_forked)

    def _was_forked(self) -> None:
        """In a forked child: the device belongs to the parent and must end with it."""
        self.forked = True
        for sock in (self.socket, self.judge_socket):
            if sock is not None:
                sock.close()

    def post(self, kind: int, buffers: Sequence[Buffer], device: int = 0, nbytes: int = 0) -> int:
        """Send one message.

        Args:
            kind: The kind of message.
            buffers: The message.
            device: The device on which it runs or allocates.
            nbytes: How much it allocates, as the allocator counts.

        Returns:
            The number of the last command so far.

        Raises:
            torch.OutOfMemoryError: the device is full.
            DeviceLost: the device has ended.
        """
        with self._sending:
            if self.dead:
                self._free()
            if nbytes:
                self._take(device, nbytes)
            number = self.number = self.number + (kind in COMMANDS)
            if self.note is not None and kind in COMMANDS:
                self.note(number)
            self._send(buffers)
        if kind in QUEUED:
            self._enter_launch_queue(device)
        return number

    def launch(self, plan: int, body: bytes, device: int, nbytes: int) -> int:
        """Send a launch of a plan.

        Raises:
            StalePlan: the device has forgotten the plan.
            torch.OutOfMemoryError: the device is full.
            DeviceLost: the device has ended.
        """
        with self._sending:
            if plan < self.oldest_plan:
                raise StalePlan
            freed = self._freed() if self.dead else b""
            if nbytes:
                try:
                    self._take(device, nbytes)
                except torch.OutOfMemoryError:
                    self._send([freed])
                    raise
            if freed:
                body = freed + body
            self.number = number = self.number + 1
            if self.note is not None:
                self.note(number)
            if self.forked:
                refuse_fork()
            try:
                self.socket.sendall(body)
                self.sent += len(body)
            except OSError:
                self._has_gone()
        self._enter_launch_queue(device)
        return number

    def _send(self, buffers: Sequence[Buffer]) -> None:
        if self.forked:
            refuse_fork()
        try:
            self.sent += send(self.socket, buffers)
        except OSError:
            self._has_gone()

    def _has_gone(self) -> None:
        why = self._lost
        while why is None:
            try:
                self._keep(self.inbox.read())
            except (EOFError, OSError):
                break
            why = self._lost
        self._lost = why or "the device process has ended"
        raise DeviceLost(f"simgpu: the device has ended the session: {self._lost}. Restart the kernel.")

    def _free(self) -> None:
        self._send([self._freed()])

    def _freed(self) -> bytes:
        """Return the message that frees storages without tensors; it is sent before anything else."""
        numbers, dead = list[int](), self.dead
        while dead:
            number, device, nbytes = dead.popleft()
            self.allocated[device] -= nbytes
            numbers.append(number)
        return struct.pack(f"<IB{len(numbers)}Q", 8 * len(numbers), Kind.FREE, *numbers)

    def flush(self) -> None:
        """Report freed storages that were not reported yet. A thread that is sending now has already done so."""
        if self.dead and self._sending.acquire(blocking=False):
            try:
                with contextlib.suppress(DeviceLost):
                    self._free()
            finally:
                self._sending.release()

    def _take(self, device: int, nbytes: int) -> None:
        """Count allocated memory; the device counts the same and decides."""
        allocated = self.allocated
        room = self.limits.memory + self.older[device]
        if allocated[device] + nbytes > room:
            gc.collect()
            if self.dead:
                self._free()
            if allocated[device] + nbytes > room:
                self.refused[device] += 1
                named = f"GPU {device}" if state.NAME == "cuda" else f"{state.NAME}:{device}"
                raise torch.OutOfMemoryError(
                    f"{state.IN_ERRORS} out of memory. Tried to allocate {text_of(nbytes)}. "
                    f"{named} has a total capacity of {text_of(self.limits.memory)} "
                    f"of which {text_of(room - allocated[device])} is free; "
                    f"{text_of(allocated[device])} is allocated by PyTorch."
                )
        allocated[device] += nbytes

    def grew(self, device: int, nbytes: int) -> None:
        """Record how much memory an operation allocated."""
        with self._sending:
            self.allocated[device] += nbytes

    def _enter_launch_queue(self, device: int) -> None:
        """Count a command that the host does not wait for.

        If the launch queue is full, the host waits until the device has come further, as on CUDA: that device alone,
        since another one may wait for a collective that this thread has yet to join. Counts of several threads may be
        off by a few.
        """
        queued = self._queued[device] = self._queued[device] + 1
        if queued < self._launch_queue_full_at[device]:
            return
        self._launch_queue_full_at[device] = 1 << 62
        try:
            self.call("launch queue", device=device)
        finally:
            self._launch_queue_full_at[device] = self._queued[device] + self.limits.queue // 2

    def begin_request(self) -> None:
        """Begin a judge's request: it has a whole device, whatever the notebook itself uses."""
        with self._sending:
            self.older = [min(nbytes, self.limits.memory) for nbytes in self.allocated]

    def end_request(self) -> None:
        """End a judge's request: the notebook gets back the device as it left it."""
        with self._sending:
            self.older = [0] * len(self.allocated)

    def begin_call(self) -> None:
        """Begin a call of a student's function with all earlier work computed: it has the whole launch queue."""
        self._launch_queue_full_at = [queued + self.limits.queue for queued in self._queued]
        self.say("call", begins=True)

    def define(self, head: dict[str, object]) -> int:
        """Define an operation on the device, unless it is defined there. A full table is cleared first.

        Returns:
            Its number.

        Raises:
            NotImplementedError: it has more constants than the device takes.
        """
        text = json.dumps(head, separators=(",", ":"))
        with self._sending:
            if text in self._defined:
                return self._defined[text]
            number = self.plans + 1
            nbytes = len(text) + PLAN_OVERHEAD
            if nbytes > MOST_JSON:
                text = f"an operation can carry at most {MOST_JSON:,} bytes of numbers, but these are {nbytes:,}"
                raise NotImplementedError(f"simgpu: {head['op']}: {text}. Put them into a tensor.")
            self.plans = number
            self._plan_bytes += nbytes
            if number - self.oldest_plan >= self.limits.plans or self._plan_bytes > self.limits.plan_bytes:
                self.oldest_plan = head["forget"] = number
                self._plan_bytes = nbytes
                self._defined.clear()
            self._send(json_message(Kind.PLAN, {"id": number, **head}))
            self._defined[text] = number
            return number

    def ask(self, kind: int, head: dict[str, Any], payload: Buffer = b"") -> bytes:
        """Send a request, and wait for the answer.

        Raises:
            LateError: a command before this wait has failed.
            DeviceLost: the device has ended.
        """
        request = head["id"] = next(self._requests)
        if threads.LOCAL.number:
            head["thread"] = threads.LOCAL.number
        self.asked = request
        self.post(kind, json_message(kind, head, payload))
        rank = waiting_ranks.LOCAL.rank
        if rank is None:
            return self._answered(request)
        if head.get("do") == "query":
            answer = self._answered(request)
            rank.polls(answer == b"true", head["stream"], head["upto"], self.say)
            return answer
        with rank.waits(request, self.say):
            return self._answered(request)

    def _answered(self, request: int) -> bytes:
        if threads.LOCAL.number:
            self._stand_aside(request)
        return self.answer(request)

    def _stand_aside(self, request: int) -> None:
        """In another thread than the main one: a gate opens for this wait if the program does not go on without it."""
        if self._has_come(request):
            return
        with threads.Looks() as looks:
            while not self._has_come(request):
                if looks.stand_still((self.number, self.asked)):
                    claim = next(self._requests)
                    self.post(Kind.CALL, json_message(Kind.CALL, {"do": "stands still", "id": claim, "of": request}))
                    if json.loads(self.answer(claim)):
                        return
                    looks.again((self.number, self.asked))

    def _has_come(self, request: int) -> bool:
        """Whether an answer has arrived; waits at most a millisecond."""
        with self._changed:
            if request in self._answers or self._lost:
                return True
            if self._reading:
                self._changed.wait(threads.LOOK_SECONDS)
            else:
                self._read_one(threads.LOOK_SECONDS)
            return request in self._answers

    def request(self) -> int:
        """Return a number for a request that another module packs."""
        return next(self._requests)

    def answer(self, request: int) -> bytes:
        """Wait for an answer; the reading thread passes other threads their answers."""
        with self._changed:
            while request not in self._answers:
                if self._lost:
                    raise DeviceLost(f"simgpu: the device has ended the session: {self._lost}. Restart the kernel.")
                if self._reading:
                    self._changed.wait()
                    continue
                self._read_one()
            kind, token, body = self._answers.pop(request)
        if token:
            with self._sending, contextlib.suppress(DeviceLost):
                self._send(message(Kind.ACKNOWLEDGED, struct.pack("<Q", token)))
        if kind == Kind.FAILED:
            (command,), text = COMMAND.unpack_from(body), body[COMMAND.size :].decode()
            raise LateError(
                f"simgpu: a command that was launched earlier{places.in_words(command)} has failed, reported at the "
                f"first wait since then: {text}"
            )
        return body

    def _read_one(self, seconds: float | None = None) -> None:
        """Read a message, with the lock released meanwhile; None after the time limit, if there is one."""
        self._reading = True
        self._changed.release()
        found = None
        try:
            if seconds is not None:
                found = self.inbox.take()
            if found is None and (seconds is None or select.select([self.socket], [], [], seconds)[0]):
                found = self.inbox.read()
        except (EOFError, OSError):
            self._lost = self._lost or "the device process has ended"
        finally:
            self._changed.acquire()
            self._reading = False
            if found:
                self._keep(found)
            self._changed.notify_all()

    def _keep(self, found: tuple[int, bytes]) -> None:
        kind, body = found
        if kind == Kind.REFUSED:
            self._lost = str(json.loads(body[4:])["why"])
        else:
            request, token = ANSWER.unpack_from(body)
            self._answers[request] = kind, token, body[ANSWER.size :]

    def call(self, do: str, **head: object) -> Any:
        """Send a request that waits for no work, and return its answer."""
        return json.loads(self.ask(Kind.CALL, {"do": do, **head}))

    def say(self, do: str, **head: object) -> None:
        """Send a request that has no answer."""
        self.post(Kind.CALL, json_message(Kind.CALL, {"do": do, **head}))


def text_of(nbytes: int) -> str:
    """Return a size as people write it."""
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if nbytes >= size:
            return f"{nbytes / size:.2f} {unit}"
    return f"{nbytes} bytes"


class _Holder:
    link: ClassVar[Link | None] = None
    starting: ClassVar[threading.Lock] = threading.Lock()


def link() -> Link:
    """Return the process's connection, opened at its first use."""
    found = _Holder.link
    if found is None:
        with _Holder.starting:
            found = _Holder.link = _Holder.link or Link()
    return found


def is_started() -> bool:
    """Whether there is a connection."""
    return _Holder.link is not None


def refuse_fork(*_: object) -> Any:
    """Raise CUDA's error when a forked process uses its parent's device.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError(
        f"Cannot re-initialize {state.IN_ERRORS} in forked subprocess. To use {state.IN_ERRORS} with multiprocessing, "
        "you must use the 'spawn' start method"
    )


def flush() -> int:
    """Report freed storages to the device, if there is one.

    Returns:
        How many bytes the front end has sent so far.
    """
    if _Holder.link is None:
        return 0
    _Holder.link.flush()
    return _Holder.link.sent


def let_go(number: int, device: int, nbytes: int, holder: type[_Holder] = _Holder) -> None:
    """Free a storage; reported with the next message, because this may run while a message is being sent.

    ``holder`` outlives this module's names, which are gone when the interpreter ends.
    """
    if holder.link is not None:
        holder.link.dead.append((number, device, nbytes))
