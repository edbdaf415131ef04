"""Launches: the front end's operations on the device."""

import json
from typing import Any

import torch

from simgpu.device.plans import Launch
from simgpu.device.state import State
from simgpu.device.storage import Storage
from simgpu.device.tape import Step
from simgpu.frames import BadMessage, request_of
from simgpu.wire import STREAMS, Spec

FEW_NUMBERS = 16
"""An operation needs so many; more of them are as good as a copy from the host, and the log says how many."""


class Launches:
    """One method for each kind of message."""

    def __init__(self, state: State) -> None:
        self.state = state

    def launch(self, body: bytes) -> None:
        """An operation that nobody waits for."""
        launch = self.state.plans.parse(body)
        storages, outs = self._prepare(launch)

        def run() -> None:
            result, tensors = self.state.runner.run(launch, storages)
            self.state.runner.keep(launch, result, tensors, outs)

        device = launch.stream // STREAMS
        peer = any(s.device != device for s in storages)
        name = "peer copy" if peer else launch.plan.name
        number = self.state.queues.enqueue(launch.stream, name, run, touches=launch.storages)
        self._note("peer" if peer else "launch", number, launch, name, outs)
        self.state.memory.tape.add(Step("launch", number, launch), storages, launch.made)

    def ask(self, head: dict[str, Any], payload: memoryview) -> None:
        """An operation whose result's shape depends on values: the front end waits for shapes or numbers."""
        launch, request = self.state.plans.parse(payload), request_of(head)
        storages, outs = self._prepare(launch)

        def run() -> bytes:
            result, tensors = self.state.runner.run(launch, storages)
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
                    self.state.memory.place(storage, spec)
                    storage.tensor = value
                    told.append(spec.json())
                else:
                    told.append(value if not isinstance(value, complex) else [value.real, value.imag])
            return json.dumps(told).encode()

        def note(number: int) -> None:
            self._note("ask", number, launch, name, [])
            self.state.memory.tape.add(Step("ask", number, launch), storages, launch.made)

        name = launch.plan.name
        self.state.waited_for(request, head.get("thread", 0), launch.stream, name, run, launch.storages, note)

    def _prepare(self, launch: Launch) -> tuple[list[Storage], list[Storage]]:
        """The storages of a launch; what it makes is allocated now.

        Returns:
            What it uses, and what it makes.

        Raises:
            BadMessage: it uses memory that it may not.
        """
        device = launch.stream // STREAMS
        storages = [self.state.memory[n] for n in launch.storages]
        for storage in storages:
            if launch.stream != storage.home:
                storage.users.add(launch.stream)
            if storage.device != device and launch.plan.name != "aten.copy_.default":
                raise BadMessage("a kernel reads another device's memory")
        for place, spec in launch.plan.tensors:
            storages[place].check(spec, launch.plan.name)
        self.state.memory.written(storages[place] for place in launch.plan.writes)
        return storages, [
            self.state.make(n, spec, launch.stream) for n, spec in zip(launch.made, launch.plan.outs, strict=True)
        ]

    def _note(self, kind: str, number: int, launch: Launch, name: str, outs: list[Storage]) -> None:
        plan = launch.plan
        new = [(s.number, s.block.address if s.block else 0, s.nbytes) for s in outs]
        reads = [launch.storages[p] for p in plan.reads]
        writes = [*(launch.storages[p] for p in plan.writes), *launch.made]
        more: dict[str, object] = {"elements": plan.elements} if reads else {}
        if new:
            more["new"] = new
        if plan.numbers > FEW_NUMBERS:
            more["numbers"] = plan.numbers
        if kind == "peer":
            more["devices"] = [[self.state.memory[n].device for n in numbers] for numbers in (reads, writes)]
            more["target"] = self.state.memory[writes[0]].device
            more["bytes"] = next(s.numel * s.dtype.itemsize for place, s in plan.tensors if place == plan.writes[0])
        self.state.log.add(kind, number, launch.stream, name, reads, writes, **more)
