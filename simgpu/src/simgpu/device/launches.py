"""Launches: the front end's operations on the device."""

import json
from typing import Any

from simgpu.device.allocator import OutOfMemory
from simgpu.device.channel import MOST_ASKED, Channel, Order
from simgpu.device.plans import Launch
from simgpu.device.replay_tape import Step
from simgpu.device.state import State
from simgpu.device.storage import Storage
from simgpu.frames import BadMessage, request_of
from simgpu.wire import STREAMS, Spec

FEW_NUMBERS = 16
"""How many numbers an operation may need; more of them amount to a copy from the host, so the log counts them."""


class Work:
    """A launch with its storages, for the kernel process."""

    __slots__ = ("launch", "outs", "storages")

    def __init__(self, launch: Launch, storages: list[Storage], outs: list[Storage]) -> None:
        self.launch, self.storages, self.outs = launch, storages, outs

    def order(self, at: Channel, kind: int = Order.LAUNCH) -> None:
        """Send it over a channel."""
        launch = self.launch
        plan = launch.plan
        numbers: list[float] = [plan.order.size, kind, at.tell_plan(launch.defined)]
        for storage in self.storages:
            cell = storage.cell
            numbers.append(cell.number if cell.known is True else at.tell(storage))
        for storage in self.outs:
            cell = storage.cell
            if storage.block is None and not storage.fits:
                at.tell(storage)
            elif cell.known is False:
                cell.known = at
            numbers.append(cell.number)
        at.put_whole(plan.message.pack(*numbers, *launch.numbers))

    def ended(self) -> None:
        """Note its answer: whatever it is, the kernel process now has the launch's objects."""
        self.launch.defined.thing.known = True
        for storage in self.storages:
            storage.cell.known = True
        for storage in self.outs:
            storage.cell.known = True


def _told(answer: bytes | None, outs: int) -> list[Any]:
    """Parse the results of an operation, as the kernel process reports them.

    Returns:
        Layouts and numbers.

    Raises:
        BadMessage: that is not what was asked.
    """
    try:
        found = json.loads(answer or b"")
        told = [Spec.parse(v["tensor"]) if type(v) is dict else v for v in found]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadMessage("invalid JSON in an answer") from error
    if sum(isinstance(v, Spec) for v in told) > outs:
        raise BadMessage("an answer with more tensors than announced")
    return told


class Launches:
    """One method for each kind of message."""

    def __init__(self, state: State) -> None:
        self.state = state

    def launch(self, body: bytes) -> None:
        """Launch an operation that nothing waits for."""
        launch = self.state.plans.parse(body)
        storages, outs = self._prepare(launch)
        device = launch.stream // STREAMS
        peer = False
        for storage in storages:
            peer = peer or storage.home // STREAMS != device
        name = "peer copy" if peer else launch.plan.name
        number = self.state.queues.enqueue(launch.stream, name, Work(launch, storages, outs), touches=launch.storages)
        self._note("peer" if peer else "launch", number, launch, name, outs)
        if self.state.memory.tape.recording:
            self.state.memory.tape.add(Step("launch", number, launch), storages, launch.made)

    def ask(self, head: dict[str, Any], payload: memoryview) -> None:
        """Launch an operation with a shape that depends on values: the front end waits for shapes or numbers."""
        launch, request = self.state.plans.parse(payload), request_of(head)
        storages, outs = self._prepare(launch)
        work = Work(launch, storages, outs)

        def run(at: Channel) -> bytes:
            with at.lock:
                work.order(at, Order.ASK)
                answer = at.finish(MOST_ASKED)
            work.ended()
            try:
                found = _told(answer, len(outs))
            except BadMessage as error:
                raise at.refuse(str(error)) from error
            spare, told = iter(outs), list[object]()
            for value in found:
                if isinstance(value, Spec):
                    storage = next(spare)
                    try:
                        self.state.memory.place(storage, value)
                    except OutOfMemory:
                        storage.cell = self.state.kernels.thing()  # an empty one
                        raise
                told.append(value.json() if isinstance(value, Spec) else value)
            return json.dumps(told).encode()

        def note(number: int) -> None:
            self._note("ask", number, launch, name, [])
            self.state.memory.tape.add(Step("ask", number, launch), storages, launch.made)

        name = launch.plan.name
        self.state.waited_for(request, head.get("thread", 0), launch.stream, name, run, launch.storages, note)

    def _prepare(self, launch: Launch) -> tuple[list[Storage], list[Storage]]:
        """Return the storages of a launch; its results are allocated now.

        Returns:
            The storages that it uses, and those that it makes.

        Raises:
            BadMessage: it uses memory that it may not.
        """
        stream, plan, memory = launch.stream, launch.plan, self.state.memory
        storages = memory.of(launch.storages)
        for storage in storages:
            if stream != storage.home:
                storage.users |= {stream}
                if storage.device != stream // STREAMS and plan.name != "aten.copy_.default":
                    raise BadMessage("a kernel reads another device's memory")
        for place, spec in plan.tensors:
            storage = storages[place]
            if storage.spec is None or spec.nbytes > storage.spec.nbytes:
                storage.check(spec, plan.name)
        if plan.writes:
            memory.written([storages[place] for place in plan.writes])
        make = self.state.make
        return storages, [make(n, spec, stream) for n, spec in zip(launch.made, plan.outs, strict=True)]

    def _note(self, kind: str, number: int, launch: Launch, name: str, outs: list[Storage]) -> None:
        plan, reads, writes = launch.plan, launch.storages, launch.made
        if not plan.reads_all:
            reads = tuple([launch.storages[p] for p in plan.reads])
        if plan.writes:
            writes = (*[launch.storages[p] for p in plan.writes], *writes)
        more: dict[str, object] = {"elements": plan.elements} if reads else {}
        if outs:
            more["new"] = [(s.number, s.block.address if s.block else 0, s.nbytes) for s in outs]
        if plan.numbers > FEW_NUMBERS:
            more["numbers"] = plan.numbers
        if kind == "peer":
            more["devices"] = [[self.state.memory[n].device for n in numbers] for numbers in (reads, writes)]
            more["target"] = self.state.memory[writes[0]].device
            more["bytes"] = next(s.numel * s.dtype.itemsize for place, s in plan.tensors if place == plan.writes[0])
        self.state.log.put(kind, number, launch.stream, name, reads, writes, more)
