"""What the front end says: each message becomes a command in a stream, or an answer."""

import functools
import itertools
import json
import struct
from collections.abc import Callable, Iterable
from typing import Any

import torch

from simgpu.device.allocator import OutOfMemory
from simgpu.device.calls import Calls
from simgpu.device.collectives import Collectives, parts_of
from simgpu.device.log import Log
from simgpu.device.memory import Memory, Storage
from simgpu.device.pinned import PinnedMemory
from simgpu.device.plans import Launch, Plans, Runner
from simgpu.device.queues import GIVEN_UP, Queues
from simgpu.frames import ANSWER, BadMessage, Kind, Outbox, message, parse_json, request_of
from simgpu.limits import Limits
from simgpu.operations import Allowed
from simgpu.records import fingerprint
from simgpu.wire import STREAMS, Spec, bytes_of, tensor_of

FEW_NUMBERS = 16
"""An operation needs so many; more of them are as good as a copy from the host, and the log says how many."""


class Conversation:
    """All of a device's state, and the meaning of each message of the front end."""

    def __init__(self, limits: Limits, outbox: Outbox, allowed: Allowed) -> None:
        self.limits, self.outbox = limits, outbox
        self.log = Log(limits.log)
        self.queues = Queues(limits, self.log)
        self.memory = Memory(limits, self.log, self.queues)
        self.plans = Plans(limits, allowed)
        self.runner = Runner(self.memory)
        self.pinned = PinnedMemory(limits.pinned)
        self.collectives = Collectives(self.queues, self.memory)
        self.calls = Calls(self)
        self.records: dict[int, int] = {}
        self._forgotten = 0  # events up to this one
        self.fenced = False  # the front end is not heard until the judge says so
        self._handlers: dict[int, Callable[[dict[str, Any], memoryview], None]] = {
            Kind.ASK: self._ask,
            Kind.UPLOAD: self._upload,
            Kind.DOWNLOAD: self._download,
            Kind.H2D: functools.partial(self._pinned, upload=True),
            Kind.D2H: functools.partial(self._pinned, upload=False),
            Kind.RECORD: self._record,
            Kind.STREAM_WAIT: self._stream_wait,
            Kind.COLLECTIVE: self._collective,
            Kind.HOST_WAIT: self._host_wait,
            Kind.ALLOCATE: self._allocate,
            Kind.CALL: lambda head, _: self.calls.answer(head),
        }

    def handle(self, kind: int, body: bytes) -> None:
        """One message.

        Raises:
            BadMessage: no front end of ours writes this.
        """
        if kind == Kind.LAUNCH:
            self._launch(body)
        elif kind == Kind.FREE:
            for (number,) in struct.iter_unpack("<Q", body):
                self.memory.free(number)
            self.log.add("free", self.queues.number, writes=[n for (n,) in struct.iter_unpack("<Q", body)])
        elif kind == Kind.HEARD:
            (token,) = struct.unpack("<Q", body)
            with self.queues.lock:
                self.queues.heard.heard(token, self.queues.number)
        elif kind == Kind.PLAN:
            self.plans.define(parse_json(body)[0], len(body))
        elif kind in self._handlers:
            self._handlers[kind](*parse_json(body))
        else:
            raise BadMessage(f"a message of kind {kind}")

    # ---- answers

    def reply(self, request: int, payload: bytes | memoryview = b"", fd: int | None = None) -> None:
        """The answer to a wait: with it comes the first error since the last one."""
        with self.queues.lock:
            number = ANSWER.pack(request, self.queues.answered(request))
            error, self.queues.error = self.queues.error, None
        if error is not None:
            self.outbox.put(message(Kind.FAILED, number, error.encode()))
        else:
            self.outbox.put(message(Kind.REPLY, number, payload), fd)

    def tell(self, request: int, value: object, fd: int | None = None, token: int = 0) -> None:
        """The answer in JSON to a question; ``token`` if it was a wait."""
        self.outbox.put(message(Kind.REPLY, ANSWER.pack(request, token), json.dumps(value).encode()), fd)

    # ---- operations

    def _launch(self, body: bytes) -> None:
        launch = self.plans.parse(body)
        storages, outs = self._prepare(launch)

        def run() -> None:
            result, tensors = self.runner.run(launch, storages)
            self.runner.keep(launch, result, tensors, outs)

        device = launch.stream // STREAMS
        peer = any(s.device != device for s in storages)
        name = "peer copy" if peer else launch.plan.name
        number = self.queues.enqueue(launch.stream, name, run, touches=launch.storages)
        self._note("peer" if peer else "launch", number, launch, name, outs)

    def _ask(self, head: dict[str, Any], payload: memoryview) -> None:
        """An operation whose result's shape depends on values: the front end waits for shapes or numbers."""
        launch, request = self.plans.parse(payload), request_of(head)
        storages, outs = self._prepare(launch)

        def run() -> bytes:
            result, tensors = self.runner.run(launch, storages)
            told: list[object] = []
            spare = iter(outs)
            addresses = {t.untyped_storage().data_ptr() for t in tensors}
            for value in result if isinstance(result, tuple | list) else (result,):
                if isinstance(value, torch.Tensor):
                    fresh = (
                        value.untyped_storage().data_ptr() not in addresses
                        and not value.is_conj()
                        and not value.is_neg()
                    )
                    value = (
                        value.clone(memory_format=torch.contiguous_format)
                        if not fresh or value.storage_offset()
                        else value
                    )
                    spec, storage = Spec.of(value), next(spare)
                    self.memory.place(storage, spec)
                    storage.tensor = value
                    told.append(spec.json())
                else:
                    told.append(value if not isinstance(value, complex) else [value.real, value.imag])
            return json.dumps(told).encode()

        self._waited_for("ask", launch.stream, launch.plan.name, run, request, head.get("thread", 0), launch)

    def _prepare(self, launch: Launch) -> tuple[list[Storage], list[Storage]]:
        """The storages of a launch; what it makes is allocated now.

        A device that is full fails the command and not the conversation.

        Raises:
            BadMessage: it uses memory that it may not.
        """
        device = launch.stream // STREAMS
        storages = [self.memory[n] for n in launch.storages]
        for storage in storages:
            if launch.stream != storage.home:
                storage.users.add(launch.stream)
            if storage.device != device and launch.plan.name != "aten.copy_.default":
                raise BadMessage("a kernel reads another device's memory")
        for place, spec in launch.plan.tensors:
            _check(storages[place], spec, launch.plan.name)
        self.memory.written(storages[place] for place in launch.plan.writes)
        return storages, [
            self._make(n, spec, launch.stream) for n, spec in zip(launch.made, launch.plan.outs, strict=True)
        ]

    def _make(self, number: int, spec: Spec | None, stream: int) -> Storage:
        try:
            return self.memory.allocate(number, spec, stream)
        except OutOfMemory:
            return self.memory[number]

    def _note(self, kind: str, number: int, launch: Launch, name: str, outs: list[Storage]) -> None:
        plan = launch.plan
        new = [(s.number, s.block.address if s.block else 0, s.nbytes) for s in outs]
        reads = [launch.storages[p] for p in plan.reads]
        writes = [*(launch.storages[p] for p in plan.writes), *launch.made]
        more: dict[str, object] = {"new": new} if new else {}
        if plan.numbers > FEW_NUMBERS:
            more["numbers"] = plan.numbers
        if kind == "peer":
            more["devices"] = [[self.memory[n].device for n in numbers] for numbers in (reads, writes)]
            more["target"] = self.memory[writes[0]].device
            more["bytes"] = next(s.numel * s.dtype.itemsize for place, s in plan.tensors if place == plan.writes[0])
        self.log.add(kind, number, launch.stream, name, reads, writes, **more)

    def _waited_for(
        self, kind: str, stream: int, label: str, run: Callable[[], bytes], request: int, thread: object,
        launch: Launch | None = None, reads: Iterable[int] = (), writes: Iterable[int] = (), **detail: object,
    ) -> None:  # fmt: skip
        """A command whose result the front end waits for: it gets it once the command has ended, or why it failed."""
        answer, failed = b"", None

        def kept() -> None:
            nonlocal answer, failed
            try:
                answer = run()
            except Exception as error:
                failed = f"{label}: {str(error).strip() or type(error).__name__}"

        def given_up() -> None:
            nonlocal failed
            failed = GIVEN_UP

        def ended() -> None:
            self.queues.error = self.queues.error or failed
            self.reply(request, answer)

        touches = launch.storages if launch else (*reads, *writes)
        with self.queues.lock:  # it does not run, and so is not answered, before the wait is known
            number = self.queues.enqueue(stream, label or "copy", kept, touches=touches, instead=given_up)
            if launch:
                self._note(kind, number, launch, label, [])
            else:
                self.log.add(kind, number, stream, label[:60], reads, writes, **detail)
            self.queues.thread_waits(request, thread, "wait", label, {stream: number}, command=number)
            self.queues.when_done(request, {stream: number}, ended)

    # ---- copies

    def _upload(self, head: dict[str, Any], payload: memoryview) -> None:
        storage, spec = self._named(head)
        data, request = tensor_of(payload, spec), request_of(head)
        self.memory.written([storage])
        brought: list[str] = []

        def run() -> bytes:
            self.memory.view(storage, spec, overwritten=True).copy_(data)
            self._note_values(data, brought)
            return b""

        self._waited_for(
            "upload",
            head["stream"],
            _label(head),
            run,
            request,
            head.get("thread", 0),
            writes=[storage.number],
            bytes=spec.numel * spec.dtype.itemsize,
            values=brought,
        )

    def _note_values(self, data: torch.Tensor, brought: list[str]) -> None:
        """Of a copy from the host in a judge's call: what it has brought, when it has run."""
        if self.log.entries.needed is not None:
            whole = data.contiguous()  # it lives as long as its bytes are read
            brought.append(fingerprint(bytes(bytes_of(whole)), data.dtype.itemsize))

    def _download(self, head: dict[str, Any], payload: memoryview) -> None:
        storage, spec = self._named(head)
        request = request_of(head)

        def run() -> bytes:
            value = self.memory.view(storage, spec).contiguous()  # it lives as long as its bytes are read
            return bytes(bytes_of(value))

        self._waited_for(
            "download",
            head["stream"],
            _label(head),
            run,
            request,
            head.get("thread", 0),
            reads=[storage.number],
            bytes=spec.numel * spec.dtype.itemsize,
        )

    def _pinned(self, head: dict[str, Any], payload: memoryview, upload: bool) -> None:
        """A copy between pinned memory and the device, which touches the host's memory when it runs and not before."""
        storage, spec = self._named(head)
        segment, offset = head["segment"], head["offset"]
        self.pinned.check(segment, offset, spec.numel * spec.dtype.itemsize)
        if upload:
            self.memory.written([storage])
        brought: list[str] = []

        def run() -> None:
            host = self.pinned.view(segment, offset, spec)
            here = self.memory.view(storage, spec, overwritten=upload)
            if upload:
                here.copy_(host)
                self._note_values(here, brought)
            else:
                host.copy_(here)

        kind, stream = "h2d" if upload else "d2h", head["stream"]
        number = self.queues.enqueue(stream, kind, run, touches=(storage.number,))
        places = ((), [storage.number]) if upload else ([storage.number], ())
        nbytes = spec.numel * spec.dtype.itemsize
        self.log.add(kind, number, stream, kind, *places, bytes=nbytes, segment=segment, values=brought)

    def _named(self, head: dict[str, Any]) -> tuple[Storage, Spec]:
        storage, spec, stream = self.memory[head["storage"]], Spec.parse(head["spec"]), head["stream"]
        self.queues.stream(stream)
        if storage.device != stream // STREAMS:
            raise BadMessage("a copy reads another device's memory")
        _check(storage, spec)
        if stream != storage.home:
            storage.users.add(stream)
        return storage, spec

    # ---- order

    def _record(self, head: dict[str, Any], payload: memoryview) -> None:
        stream = head["stream"]
        number = self.queues.enqueue(stream, "record", lambda: None, timed=True)
        self.records[number] = stream
        if len(self.records) > self.limits.log:
            self._forget_records()
        self.log.add("record", number, stream, "record")

    def _forget_records(self) -> None:
        """The oldest events that have happened: who waits for one of them waits for nothing."""
        with self.queues.lock:
            oldest = itertools.islice(self.records.items(), self.limits.log // 2)
            gone = [ticket for ticket, _ in itertools.takewhile(lambda r: self.queues.passed(r[1], r[0]), oldest)]
        for self._forgotten in gone:
            del self.records[self._forgotten]

    def _stream_wait(self, head: dict[str, Any], payload: memoryview) -> None:
        ticket, queues = head["ticket"], self.queues
        if ticket not in self.records and not (type(ticket) is int and 0 < ticket <= self._forgotten):
            raise BadMessage("an event that was never recorded")
        source = self.records.get(ticket, -1)  # of one that was forgotten, since it has happened: a stream that is not
        number = queues.enqueue(
            head["stream"],
            "stream wait",
            lambda: None,
            lambda: queues.passed(source, ticket),
            lambda: () if queues.passed(source, ticket) else ((source, ticket),),
        )
        self.log.add("stream wait", number, head["stream"], "stream wait", ticket=ticket)

    def _host_wait(self, head: dict[str, Any], payload: memoryview) -> None:
        request, device, stream, upto = request_of(head), head.get("device"), head.get("stream"), head["upto"]
        if type(upto) is not int:
            raise BadMessage("a command's number")
        if stream is not None:
            self.queues.stream(stream)
        with self.queues.lock:
            meant = [
                s
                for s in self.queues.streams.values()
                if stream == s.number or (stream is None and device in (None, s.device))
            ]
            targets = {s.number: min(upto, s.last) for s in meant}
            thread = head.get("thread", 0)
            self.queues.thread_waits(request, thread, "wait", _label(head), targets, all=stream is None)
            self.queues.when_done(request, targets, lambda: self.reply(request))

    def _allocate(self, head: dict[str, Any], payload: memoryview) -> None:
        spec = Spec.parse(head["spec"])
        storage = self._make(head["storage"], spec, head["stream"])
        address = storage.block.address if storage.block else 0
        self.log.add("allocate", self.queues.number, head["stream"], new=[(storage.number, address, spec.nbytes)])

    def _collective(self, head: dict[str, Any], payload: memoryview) -> None:
        number = self.collectives.join(head)
        parts = parts_of(head)
        given, taken = ([place for part in parts for place in part[key]] for key in ("ins", "outs"))
        specs = [Spec.parse(spec) for _, spec in given]
        self.log.add(
            "collective", number, head["stream"], head["op"], [c for c, _ in given], [c for c, _ in taken],
            group=head["group"], sequence=head["sequence"], rank=head["rank"], reduce=head["reduce"],
            bytes=sum(s.numel * s.dtype.itemsize for s in specs), sizes=[s.size for s in specs],
            **({"meetings": [[part["group"], part["sequence"]] for part in parts]} if "parts" in head else {}),
        )  # fmt: skip


def _label(head: dict[str, Any]) -> str:
    """What a wait is called: the front end's words, which wait in a queue, too."""
    return str(head["label"])[:60]


def _check(storage: Storage, spec: Spec, name: str = "a copy") -> None:
    if storage.spec is not None and spec.nbytes > storage.nbytes:
        raise BadMessage(f"{name}: a view of {spec.nbytes} bytes in a storage of {storage.nbytes}")
