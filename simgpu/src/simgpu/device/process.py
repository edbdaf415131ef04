"""The device process, the *keeper*: one thread reads front end and judge. Its child runs kernels.

Whatever the front end had sent before the judge asked counts as sent before: so "what had been enqueued when the
function
returned" is exact.
"""

import argparse
import contextlib
import ctypes
import os
import select
import socket
import sys
import time
from pathlib import Path

import torch

from simgpu import transport
from simgpu.device.conversation import Conversation
from simgpu.device.judge import Judge
from simgpu.device.kernels import Kernels, collect_seldom, hide
from simgpu.device.quiet import LOOK_SECONDS, goes_on
from simgpu.device.state import State
from simgpu.frames import MOST_OF_JUDGE, BadMessage, Inbox, Kind, Outbox, json_message, parse_json, send
from simgpu.limits import Limits
from simgpu.operations import Allowed

MOST_BEFORE_JUDGE = 16 << 20
"""How many bytes are read from the front end before the judge gets a turn anyway; a socket holds fewer."""


class Reader:
    """The thread that reads both sockets; no message, even an incomplete one, can block it."""

    def __init__(self, conversation: Conversation, front: socket.socket, judge: socket.socket | None) -> None:
        self.conversation, self.state, self.front, self.judge = conversation, conversation.state, front, judge
        self.inbox = Inbox(front, descriptors=False)
        self.of_judge = Inbox(judge, MOST_OF_JUDGE) if judge else None
        self.answers = Judge(self.state)
        self.front_is_there = True
        self.state.kernels.on_loss = self._crash

    def run(self) -> None:
        """Run until both sides have closed."""
        looked = 0.0
        while self.front_is_there or self.judge:
            full = self.state.queues.pending() > self.state.limits.pending
            sockets: list[socket.socket | Kernels] = [self.judge] if self.judge else []
            if self.state.kernels.is_process and not self.state.kernels.lost:
                sockets.append(self.state.kernels)
            if self.front_is_there and not full and not self.state.fenced:
                sockets.append(self.front)
            quiet = self.state.queues.quiet if not self.state.fenced else None
            seconds = LOOK_SECONDS if quiet else 0.01 if full else None
            ready: list[socket.socket | Kernels] = []
            if sockets:
                ready, _, _ = select.select(sockets, [], [], seconds)
            else:  # Windows cannot select from an empty list
                time.sleep(seconds or 0.01)
            if quiet and (now := time.monotonic()) >= looked + LOOK_SECONDS:
                looked = now
                quiet.look(self.front not in ready)
            if self.state.kernels in ready:
                self.state.kernels.look()
            if self.judge in ready:
                if not self.state.fenced:
                    self._hear_front(MOST_BEFORE_JUDGE)
                self._hear_judge()
            elif self.front in ready:
                self._hear_front(1 << 22)
        self.state.queues.end()
        self.state.outbox.close()
        self.state.pinned.end()
        self.state.kernels.close()

    def _crash(self, why: str) -> None:
        """Handle the end of the kernel process: tell the front end, stop reading it; the judge can still read."""
        self.state.log.ended = self.state.log.ended or why
        self.state.outbox.put(json_message(Kind.REFUSED, {"why": why}))
        with contextlib.suppress(OSError):
            transport.hear_no_more(self.front)

    def _hear_front(self, most: int) -> None:
        try:
            quiet, take, handle = self.state.queues.quiet, self.inbox.take, self.conversation.handle
            while self.front_is_there and most > 0 and self.state.queues.pending() <= self.state.limits.pending:
                while (found := take()) is not None:
                    kind, body = found
                    most -= len(body) + 64
                    if (quiet.waits or quiet.claims) and goes_on(kind, body):
                        self.state.queues.goes_on()
                    handle(kind, body)
                if self.state.outbox.broken:
                    raise EOFError
                if not self.inbox.fill():
                    return
        except EOFError:
            self.front_is_there = False
        except Exception as error:  # a message that simgpu's front end never sends ends the session, and the log has it
            self.front_is_there = False
            text = (str(error) if isinstance(error, BadMessage) else f"{type(error).__name__}: {error}")[:300]
            self.state.log.ended = text
            with contextlib.suppress(BadMessage):
                self.state.log.add("bad message", self.state.queues.number, text=text)
            self.state.outbox.put(json_message(Kind.REFUSED, {"why": text}))
        if not self.front_is_there:
            with contextlib.suppress(OSError):
                transport.hear_no_more(self.front)

    def _hear_judge(self) -> None:
        assert self.judge is not None and self.of_judge is not None
        try:
            _, body = self.of_judge.read()
            head, payload = parse_json(body, MOST_OF_JUDGE)
            self._catch_up(head.pop("after", 0))
            answer, data = self.answers.obey(head, payload)
            send(self.judge, json_message(Kind.REPLY, answer, data))
        except (EOFError, OSError, BadMessage):
            self.judge, self.state.fenced = None, False  # otherwise the end of the front end would go unnoticed

    def _catch_up(self, count: int) -> None:
        """Over TCP, read what the front end sent before a judge's request, which may overtake it."""
        while self.inbox.count < count and self.front_is_there and not self.state.fenced:
            if self.state.queues.pending() > self.state.limits.pending:
                return
            select.select([self.front], [], [])
            self._hear_front(MOST_BEFORE_JUDGE)


def keep_freed_memory() -> None:
    """Keep freed memory, as a caching allocator does: glibc would return and request large blocks each time."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            libc = ctypes.CDLL(None)
            libc.mallopt(-1, 1 << 30)  # M_TRIM_THRESHOLD
            libc.mallopt(-3, 1 << 30)  # M_MMAP_THRESHOLD


def serve(front: socket.socket, judge: socket.socket | None, limits: Limits, record: Path | None = None) -> None:
    """Be a device until both sockets are closed."""
    keep_freed_memory()
    kernels = Kernels(limits)  # started before anything exists that it must not have, except sockets, which it closes
    hide()
    torch.set_num_threads(limits.threads)
    collect_seldom()
    Reader(Conversation(State(limits, Outbox(front), Allowed(record), kernels)), front, judge).run()


def main() -> None:
    """``python -m simgpu.device.process --front FD [--judge FD]``, or ``--connect PORT`` with a token as its input."""
    parser = argparse.ArgumentParser(description="The device process of simgpu.")
    ways = parser.add_mutually_exclusive_group(required=True)
    ways.add_argument("--front", type=int, help="descriptor of the front end's socket")
    ways.add_argument("--connect", type=int, help="port of a front end on this machine that judges its own device")
    parser.add_argument("--judge", type=int, help="descriptor of the judge's socket")
    sizes = ("devices", "memory", "queue", "log", "pinned", "threads")
    for name in sizes:
        parser.add_argument(f"--{name}", type=int, default=getattr(Limits, name))
    parser.add_argument("--record-operations", type=Path, help="permit what is not on the allow list, and note it here")
    options = parser.parse_args()
    limits = Limits(**{name: getattr(options, name) for name in sizes})
    judge: socket.socket | None
    if options.connect is not None:
        front, judge = transport.connect(options.connect)
    else:
        front = transport.inherited(options.front)
        judge = None if options.judge is None else transport.inherited(options.judge)
    serve(front, judge, limits, options.record_operations)
    os._exit(0)


if __name__ == "__main__":
    main()
