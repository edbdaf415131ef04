"""What the judge may ask of a device: gates, log, values, memory. The other end is :class:`simgpu.control.Control`."""

import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import torch

from simgpu.device.channel import Thing
from simgpu.device.copies import read
from simgpu.device.kernels import SECONDS
from simgpu.device.replay_request import request_replay
from simgpu.device.replay_tape import Tape
from simgpu.device.state import State
from simgpu.device.storage import Storage
from simgpu.wire import STREAMS, Spec, bytes_of, tensor_of

Answer = tuple[object, bytes]
DONE: Answer = (True, b"")


class Judge:
    """One method for each request, whose name is in the message."""

    def __init__(self, state: State) -> None:
        self.state, self.queues = state, state.queues
        self._known: dict[str, Callable[[dict[str, Any], memoryview], Answer]] = {
            "hold": self._hold, "hold until waited for": self._lazy, "hold operations": self._operations,
            "hold storages": self._storages, "release": self._release, "fence": self._fence, "hear": self._hear,
            "log": self._log, "runs": self._runs, "gates": self._gates, "state": self._state, "memory": self._memory,
            "count": self._count, "forget error": self._forget_error, "put": self._put, "values": self._values,
            "times": self._times, "give up": self._give_up, "need": self._need, "several": self._several,
            "keep": self._keep, "replay": self._replay,
        }  # fmt: skip

    def obey(self, head: dict[str, Any], payload: memoryview) -> Answer:
        """Do what is asked; an error is also an answer, because the judge must always get one."""
        try:
            return self._known[head["do"]](head, payload)
        except Exception as error:
            return {"error": type(error).__name__, "text": str(error)}, b""

    def _several(self, head: dict[str, Any], payload: memoryview) -> Answer:
        """Answer several requests in order: each has its ``bytes`` of the payload, as the answers do."""
        answers, given = [], bytearray()
        for part in head["parts"]:
            size = part.get("bytes", 0)
            answer, data = self._known[part["do"]](part, payload[:size])
            payload = payload[size:]
            answers.append([answer, len(data)])
            given += data
        return answers, bytes(given)

    def _hold(self, head: dict[str, Any], payload: memoryview) -> Answer:
        if head["stream"] is not None:
            self.queues.stream(head["stream"])  # a new stream is held as well
        self.queues.gates.hold(head["stream"], head["device"])
        self.state.log.gate(_place(head), True)
        return DONE

    def _lazy(self, head: dict[str, Any], payload: memoryview) -> Answer:
        self.queues.gates.hold_until_waited_for()
        self.state.log.gate("everything", True, lazy=True)
        return DONE

    def _operations(self, head: dict[str, Any], payload: memoryview) -> Answer:
        self.queues.gates.hold_operations(head["names"], head["lazy"])
        self.state.log.gate(", ".join(head["names"]), True, bool(head["lazy"]))
        return DONE

    def _storages(self, head: dict[str, Any], payload: memoryview) -> Answer:
        self.queues.gates.hold_storages(head["numbers"])
        self.state.log.gate(f"{len(head['numbers'])} storages", True, lazy=True)
        return DONE

    def _fence(self, head: dict[str, Any], payload: memoryview) -> Answer:
        self.state.fenced = True
        self.state.memory.tape.close()
        return DONE

    def _hear(self, head: dict[str, Any], payload: memoryview) -> Answer:
        self.state.fenced = False
        return DONE

    def _release(self, head: dict[str, Any], payload: memoryview) -> Answer:
        self.queues.gates.release(head["stream"], head["device"], head["upto"])
        if not self.queues.gates.lazy:
            self.queues.is_quiet()
        self.state.log.gate(_place(head), False)
        return DONE

    def _give_up(self, head: dict[str, Any], payload: memoryview) -> Answer:
        self.queues.give_up()
        return DONE

    def _log(self, head: dict[str, Any], payload: memoryview) -> Answer:
        return self.state.log.entries.since(head["since"], head.get("most")), b""

    def _runs(self, head: dict[str, Any], payload: memoryview) -> Answer:
        return self.state.log.runs.since(head["since"], head.get("most")), b""

    def _gates(self, head: dict[str, Any], payload: memoryview) -> Answer:
        return self.state.log.gates[head["since"] :], b""

    def _times(self, head: dict[str, Any], payload: memoryview) -> Answer:
        return [self.state.log.ends.get(n) for n in head["numbers"]], b""

    def _state(self, head: dict[str, Any], payload: memoryview) -> Answer:
        queues = self.queues
        with queues.lock:
            return {
                "number": queues.number,
                "pending": {s.number: n for s in queues.streams.values() if (n := s.commands())},
                "meetings": len(self.state.collectives.meetings),
                "storages": len(self.state.memory.storages),
                "plans": len(self.state.plans.plans),
                "log": len(self.state.log.entries),
                "runs": len(self.state.log.runs),
                "error": queues.error and queues.error[1],
                "ended": self.state.log.ended,
                "crashed": self.state.kernels.lost,
                "clock": time.monotonic_ns(),
                "idle": queues.idle() and not (queues.quiet and queues.gates.lazy and not self.state.fenced),
            }, b""

    def _need(self, head: dict[str, Any], payload: memoryview) -> Answer:
        self.state.log.need(bool(head["log"]))
        return DONE

    def _keep(self, head: dict[str, Any], payload: memoryview) -> Answer:
        self.state.memory.tape = Tape(bool(head["on"]), len(self.state.log.runs), self._copy)
        return DONE

    def _copy(self, storage: Storage) -> Thing | None:
        """A copy of a storage's current content."""
        if not storage.cell.known:
            return None
        thing, own = self.state.kernels.thing(), self.state.kernels.own
        thing.known = True
        found = own.ask("copy", [storage], b"", 0, SECONDS, storage=storage.cell.number, to=thing.number)
        return None if found is None else thing

    def _replay(self, head: dict[str, Any], payload: memoryview) -> Answer:
        return request_replay(self.state, head, payload)

    def _memory(self, head: dict[str, Any], payload: memoryview) -> Answer:
        with self.queues.lock:
            return asdict(self.state.memory.usage(head["device"])) | {"pinned": self.state.pinned.nbytes}, b""

    def _count(self, head: dict[str, Any], payload: memoryview) -> Answer:
        with self.queues.lock:
            for allocator in self.state.memory.allocators:
                allocator.begin()
        return DONE

    def _forget_error(self, head: dict[str, Any], payload: memoryview) -> Answer:
        with self.queues.lock:
            self.queues.error = None
        return DONE

    def _put(self, head: dict[str, Any], payload: memoryview) -> Answer:
        """Some arrays, each with its ``bytes`` of the payload."""
        orders = []
        for one in head["arrays"]:
            spec, given, payload = Spec.parse(one["spec"]), payload[: one["bytes"]], payload[one["bytes"] :]
            data = tensor_of(given, spec)
            storage = self.state.memory.allocate(one["storage"], None, one["device"] * STREAMS, by_judge=True)
            storage.spec, storage.shown = spec, data if one.get("look") else None
            orders.append(([storage], given, {"storage": storage.cell.number, "spec": spec.json()}))
        self.state.kernels.own.ask_each("write", orders, 0, SECONDS)
        return DONE

    def _values(self, head: dict[str, Any], payload: memoryview) -> Answer:
        """Return layout and device of storages, followed by the values; None for an untouched one."""
        places: list[tuple[Storage, Spec | None]] = []
        for number, layout in head["of"]:
            storage = self.state.memory[number]
            places.append((storage, storage.spec and (Spec.parse(layout) if layout else storage.spec)))
        known = [(storage, spec) for storage, spec in places if spec is not None]
        found = iter(read(self.state.kernels.own, known, peek=True, seconds=SECONDS))
        told, values = list[object](), bytearray()
        for storage, spec in places:
            data = None if spec is None else next(found)
            if data is None or spec is None:
                told.append(None)
                continue
            spec = Spec.of(torch.empty(spec.size, dtype=spec.dtype, device="meta"))
            if spec.dtype in (torch.bfloat16, torch.float16):
                value = tensor_of(data, spec).float()
                spec, data = Spec.of(value), bytes(bytes_of(value))
            told.append({"spec": spec.json(), "device": storage.device})
            values += data
        return told, bytes(values)


def _place(head: dict[str, Any]) -> str:
    """What a gate holds, for pictures."""
    if head["stream"] is not None:
        return f"stream {head['stream'] % STREAMS} of simgpu:{head['stream'] // STREAMS}"
    return "everything" if head["device"] is None else f"simgpu:{head['device']}"
