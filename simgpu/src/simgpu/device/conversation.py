"""Messages of the front end: each becomes a command in a stream, or an answer."""

import functools
import itertools
import struct
from collections.abc import Callable
from typing import Any

from simgpu.device.calls import Calls
from simgpu.device.collectives import parts_of
from simgpu.device.copies import Copies, label_of
from simgpu.device.launches import Launches
from simgpu.device.replay_tape import Step
from simgpu.device.state import State
from simgpu.frames import BadMessage, Kind, parse_json, request_of
from simgpu.wire import Spec


class Conversation:
    """The meaning of each message of the front end.

    Args:
        state: The device's state.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.calls, self.launches, copies = Calls(state), Launches(state), Copies(state)
        self._forgotten = 0  # events up to this number are forgotten
        self._handlers: dict[int, Callable[[dict[str, Any], memoryview], None]] = {
            Kind.ASK: self.launches.ask,
            Kind.UPLOAD: copies.upload,
            Kind.DOWNLOAD: copies.download,
            Kind.H2D: functools.partial(copies.pinned, upload=True),
            Kind.D2H: functools.partial(copies.pinned, upload=False),
            Kind.RECORD: self._record,
            Kind.STREAM_WAIT: self._stream_wait,
            Kind.COLLECTIVE: self._collective,
            Kind.HOST_WAIT: self._host_wait,
            Kind.ALLOCATE: self._allocate,
            Kind.CALL: lambda head, _: self.calls.answer(head),
        }

    def handle(self, kind: int, body: bytes) -> None:
        """Handle one message.

        Raises:
            BadMessage: simgpu's front end never sends this.
        """
        if kind == Kind.LAUNCH:
            self.launches.launch(body)
        elif kind == Kind.FREE:
            numbers = tuple([number for (number,) in struct.iter_unpack("<Q", body)])
            for number in numbers:
                self.state.memory.free(number)
            self.state.log.put("free", self.state.queues.number, 0, "", (), numbers, {})
        elif kind == Kind.ACKNOWLEDGED:
            (token,) = struct.unpack("<Q", body)
            with self.state.queues.lock:
                self.state.queues.acknowledgements.came(token, self.state.queues.number)
        elif kind == Kind.PLAN:
            self.state.plans.define(body)
        elif kind in self._handlers:
            self._handlers[kind](*parse_json(body))
        else:
            raise BadMessage(f"unknown kind of message: {kind}")

    def _record(self, head: dict[str, Any], payload: memoryview) -> None:
        stream = head["stream"]
        number = self.state.queues.enqueue(stream, "record", lambda at: None, timed=True)
        self.state.records[number] = stream
        if len(self.state.records) > self.state.limits.log:
            self._forget_records()
        self.state.log.add("record", number, stream, "record")

    def _forget_records(self) -> None:
        """Forget the oldest events that have happened: a wait for one of them waits for nothing."""
        with self.state.queues.lock:
            oldest = itertools.islice(self.state.records.items(), self.state.limits.log // 2)
            gone = [ticket for ticket, _ in itertools.takewhile(lambda r: self.state.queues.passed(r[1], r[0]), oldest)]
        for self._forgotten in gone:
            del self.state.records[self._forgotten]

    def _stream_wait(self, head: dict[str, Any], payload: memoryview) -> None:
        ticket, queues = head["ticket"], self.state.queues
        if ticket not in self.state.records and not (type(ticket) is int and 0 < ticket <= self._forgotten):
            raise BadMessage("wait for an event that was never recorded")
        source = self.state.records.get(ticket, -1)  # -1 is no stream: the event has happened and was forgotten
        number = queues.enqueue(
            head["stream"],
            "stream wait",
            lambda at: None,
            lambda: queues.passed(source, ticket),
            lambda: () if queues.passed(source, ticket) else ((source, ticket),),
        )
        self.state.log.add("stream wait", number, head["stream"], "stream wait", ticket=ticket)

    def _host_wait(self, head: dict[str, Any], payload: memoryview) -> None:
        request, device, stream, upto = request_of(head), head.get("device"), head.get("stream"), head["upto"]
        if type(upto) is not int:
            raise BadMessage("invalid command number")
        if stream is not None:
            self.state.queues.stream(stream)
        with self.state.queues.lock:
            meant = [
                s
                for s in self.state.queues.streams.values()
                if stream == s.number or (stream is None and device in (None, s.device))
            ]
            targets = {s.number: min(upto, s.last) for s in meant}
            thread = head.get("thread", 0)
            self.state.queues.thread_waits(request, thread, "wait", label_of(head), targets, all=stream is None)
            self.state.queues.when_done(request, targets, lambda: self.state.reply(request))

    def _allocate(self, head: dict[str, Any], payload: memoryview) -> None:
        spec = Spec.parse(head["spec"])
        storage = self.state.make(head["storage"], spec, head["stream"])
        self.state.memory.tape.allocate(storage, spec)
        address = storage.block.address if storage.block else 0
        self.state.log.add(
            "allocate", self.state.queues.number, head["stream"], new=[(storage.number, address, spec.nbytes)]
        )

    def _collective(self, head: dict[str, Any], payload: memoryview) -> None:
        number = self.state.collectives.join(head)
        parts = parts_of(head)
        given, taken = ([place for part in parts for place in part[key]] for key in ("ins", "outs"))
        memory = self.state.memory
        memory.tape.add(Step("collective", number, parts), [memory[n] for n, _ in (*given, *taken)])
        specs = [Spec.parse(spec) for _, spec in given]
        self.state.log.add(
            "collective", number, head["stream"], head["op"], [c for c, _ in given], [c for c, _ in taken],
            group=head["group"], sequence=head["sequence"], rank=head["rank"], reduce=head["reduce"],
            bytes=sum(s.numel * s.dtype.itemsize for s in specs), sizes=[s.size for s in specs],
            elements=[s.distinct for s in specs],
            **({"meetings": [[part["group"], part["sequence"]] for part in parts]} if "parts" in head else {}),
        )  # fmt: skip
