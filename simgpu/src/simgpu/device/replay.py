"""A judge's call runs once more, by the device alone: the same commands, on other inputs.

Whoever did the work on the device gets right results again. Numbers that were computed elsewhere stay what they were.
All of it runs in a child process, which ends with it: kernels are called again with a student's arguments, and nothing
that they do reaches the device itself.
"""

import contextlib
import json
import os
import select
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from simgpu.device.collectives import write_result
from simgpu.device.meetings import Meeting
from simgpu.device.memory import Memory
from simgpu.device.plans import Launch, Runner
from simgpu.device.state import State
from simgpu.device.storage import Storage
from simgpu.device.swap import Swap
from simgpu.device.tape import Found, Step, Tape, copied
from simgpu.system import HAS_FORK, limit_processor_time
from simgpu.wire import Spec, bytes_of, tensor_of

MOST_TOLD = 4 << 20
"""Bytes of what the host was told, which the judge gets."""
MOST_SECONDS = 15
"""Of the child's processor time: on a busy machine the clock says nothing about the call."""
Layouts = Sequence[tuple[int, Any]]
Told = dict[int, np.ndarray]


class World:
    """A memory of its own in which a tape runs.

    Args:
        state: Of the device.
        tape: What runs.
        put: Values in the place of those that the call found, by storage.
        first: What the host was told in the world of the call's own inputs: then copies from the host bring what
            stands for what they brought.
        swap: What stands for what.
        patch: Commands whose results are kept.
        results: What these made in another world, in the place of what they make here.

    Attributes:
        told: What the host was told, by the command's number.
        sizes: Of results whose shape hangs on values, which the host was told, too.
        errors: Commands that failed.
        results: What the commands of ``patch`` made.
    """

    def __init__(
        self,
        state: State,
        tape: Tape,
        put: Mapping[int, torch.Tensor] | None = None,
        first: Told | None = None,
        swap: Swap | None = None,
        patch: frozenset[int] = frozenset(),
        results: Mapping[int, list[torch.Tensor]] | None = None,
    ) -> None:
        self.state, self.tape, self.first, self.swap, self.patch, self.given = state, tape, first, swap, patch, results
        self.told: Told = {}
        self.sizes: dict[int, list[torch.Size]] = {}
        self.errors: dict[int, str] = {}
        self.results: dict[int, list[torch.Tensor]] = {}
        self.memory = Memory(state.limits, state.log, state.queues)
        self.runner = Runner(self.memory)
        self._meetings: dict[tuple[str, int], Meeting] = {}
        self._put = put or {}
        for number, found in tape.found.items():
            values = _values(found)
            self._make(number, found.storage.spec, found.storage.home).tensor = self._put.get(number, values)
        for number, (spec, home) in tape.allocated.items():
            self._make(number, spec, home)

    def run(self, steps: Sequence[Step], keep: frozenset[int]) -> "World":
        """Run some steps, one behind the other; what was let go of and is not to be kept goes after its last use."""
        last = {number: place for place, step in enumerate(steps) for number in _touched(step)}
        leaving: dict[int, list[int]] = {}
        for number in self.tape.freed - keep:
            leaving.setdefault(last.get(number, -1), []).append(number)
        do: dict[str, Callable[[Step], None]] = {
            "launch": self._launch,
            "ask": self._ask,
            "upload": self._upload,
            "download": self._download,
            "collective": self._collective,
        }
        parts: dict[tuple[str, int], dict[int, dict[str, Any]]] = {}
        for step in steps:
            for part in step.what if step.kind == "collective" else ():
                parts.setdefault(_key(part), {})[part["rank"]] = part
        self._parts = parts
        with torch.no_grad():
            for place, step in enumerate(steps):
                try:
                    do[step.kind](step)
                    if step.number in self.patch:
                        self._patch(step)
                except Exception as error:  # as on the device: what it makes stays unwritten
                    self.errors[step.number] = f"{_name(step)}: {error}"[:200]
                for number in leaving.get(place, ()):
                    self.memory.storages.pop(number, None)
        return self

    def read(self, number: int, spec: Any) -> torch.Tensor:
        """What lies in a storage at the end; one that the call has not touched holds what was put, or what it held."""
        if number not in self.memory.storages:
            storage = self.state.memory[number]
            self._make(number, storage.spec, storage.home).tensor = self._put.get(number, storage.tensor)
        return self._view(number, spec).contiguous()

    def _make(self, number: int, spec: Spec | None, home: int) -> Storage:
        block: Any = self  # any will do: it did fit
        storage = self.memory.storages[number] = Storage(number, home, spec, block)
        return storage

    def _view(self, number: int, spec: Any) -> torch.Tensor:
        return self.memory.view(self.memory[number], Spec.parse(spec))

    def _patch(self, step: Step) -> None:
        numbers = dict.fromkeys((*_written(step), *(step.what.made if isinstance(step.what, Launch) else ())))
        views = [self.memory.view(s, s.spec) for n in numbers if (s := self.memory[n]).spec is not None]
        self.results[step.number] = [view.clone() for view in views]
        for view, value in zip(views, (self.given or {}).get(step.number, ()), strict=False):
            view.copy_(value)

    def _launch(self, step: Step) -> None:
        launch = self._with_numbers(step.what)
        outs = [self._make(n, spec, launch.stream) for n, spec in zip(launch.made, launch.plan.outs, strict=True)]
        result, tensors = self.runner.run(launch, [self.memory[n] for n in launch.storages])
        self.runner.keep(launch, result, tensors, outs)

    def _ask(self, step: Step) -> None:
        """The host was told a shape or a number; what it did then is on the tape, and fits only the same answer."""
        launch = self._with_numbers(step.what)
        outs = iter([self._make(n, None, launch.stream) for n in launch.made])
        sizes, told = self.sizes.setdefault(step.number, []), []
        result, _ = self.runner.run(launch, [self.memory[n] for n in launch.storages])
        for value in result if isinstance(result, tuple | list) else (result,):
            if isinstance(value, torch.Tensor):
                storage, value = next(outs), value.clone(memory_format=torch.contiguous_format)
                storage.spec, storage.tensor = Spec.of(value), value
                sizes.append(value.shape)
            elif not isinstance(value, complex):
                told.append(value)
        if told:
            self._tell(step, np.array(told, np.float64))

    def _upload(self, step: Step) -> None:
        number, spec = step.what
        (data,) = step.brought
        place = self.memory.view(self.memory[number], spec, overwritten=True)
        place.copy_(data if self.first is None or self.swap is None else self.swap.apply(data))

    def _download(self, step: Step) -> None:
        number, spec = step.what
        value = self.memory.view(self.memory[number], spec).contiguous()
        self._tell(step, (value.float() if value.dtype == torch.bfloat16 else value).numpy().copy())

    def _tell(self, step: Step, value: np.ndarray) -> None:
        self.told[step.number] = value
        if self.first is not None and self.swap is not None and step.number in self.first:
            self.swap.learn(self.first[step.number], value)

    def _with_numbers(self, launch: Launch) -> Launch:
        if self.first is None or self.swap is None or not launch.values:
            return launch
        return replace(launch, values=self.swap.numbers(launch.values))

    def _collective(self, step: Step) -> None:
        for part in step.what:
            key = _key(part)
            if (meeting := self._meetings.get(key)) is None:
                members = tuple(range(part["size"]))
                meeting = self._meetings[key] = Meeting("", members, part["op"], part["reduce"], part["root"])
                given = [self._parts[key][rank]["ins"] for rank in members]
                meeting.compute([[self._view(*place) for place in places] for places in given])
            assert meeting.results is not None
            for place, value in zip(part["outs"], meeting.results[part["rank"]], strict=True):
                write_result(meeting, self._view(*place), value)


def replay(state: State, head: dict[str, Any], payload: memoryview) -> tuple[dict[str, Any], bytes]:
    """Run the tape of the last call on other inputs, in a child process where the system can fork one.

    Args:
        state: Of the device, on which nothing runs.
        head: ``put``: pairs of a storage and the layout of what stands for its values; ``host``: pairs of layouts, of
            what the judge has given to the host and of what stands for it; ``read``: pairs of a storage and a layout;
            ``patch``: commands whose results alone come from the other inputs; ``seconds``: of wall-clock time.
        payload: The values of ``put`` and ``host``.

    Returns:
        Layouts of the arrays of ``read`` and of the pairs that the host was told, and what else a ``Replay`` says; and
        the arrays' bytes.

    Raises:
        TimeoutError: it takes longer.
        RuntimeError: there is no tape of a call, or the child has failed.
    """
    tape = state.memory.tape
    tape.close()
    if not tape.whole:
        raise RuntimeError("more was to be kept of the call than there is room for, or nothing")
    if not HAS_FORK:  # no judge of others' code works here, so that nobody's code may take too long
        told, data = _run_or_say_why_not(state, tape, head, payload)
        return json.loads(told), data
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        limit_processor_time(MOST_SECONDS)
        with contextlib.suppress(BaseException), os.fdopen(writer, "wb") as answer:
            told, data = _run_or_say_why_not(state, tape, head, payload)
            answer.write(len(told).to_bytes(4, "little") + told + data)
        os._exit(0)
    os.close(writer)
    try:
        data = _read(reader, time.monotonic() + head["seconds"])
    finally:
        os.close(reader)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    length = int.from_bytes(data[:4], "little")
    if len(data) < 4 + length or not length:
        raise RuntimeError("the child that ran the call once more has failed")
    return json.loads(data[4 : 4 + length]), data[4 + length :]


def _read(reader: int, deadline: float) -> bytes:
    data = bytearray()
    while True:
        if not select.select([reader], [], [], max(0.0, deadline - time.monotonic()))[0]:
            raise TimeoutError("the call that runs once more takes too long")
        part = os.read(reader, 1 << 20)
        if not part:
            return bytes(data)
        data += part


def _run_or_say_why_not(state: State, tape: Tape, head: dict[str, Any], payload: memoryview) -> tuple[bytes, bytes]:
    try:
        return _run(state, tape, head, payload)
    except Exception as error:  # what does not fit is no verdict
        nothing = {"read": [], "told": [], "faithful": False, "left": 0, "diverged": [f"{error}"[:200]]}
        return json.dumps(nothing).encode(), b""


def _run(state: State, tape: Tape, head: dict[str, Any], payload: memoryview) -> tuple[bytes, bytes]:
    pieces = []
    for spec in (*(spec for _, spec in head["put"]), *(spec for pair in head["host"] for spec in pair)):
        layout = Spec.parse(spec)
        pieces.append(tensor_of(payload[: layout.nbytes], layout))
        payload = payload[layout.nbytes :]
    put = {number: pieces.pop(0) for number, _ in head["put"]}
    swap = Swap()
    for old, new in zip(pieces[::2], pieces[1::2], strict=True):
        swap.learn(old.numpy(), new.numpy())
    started = {run.number: (run.start, run.number) for run in state.log.runs.since(tape.runs)}
    steps = sorted((s for s in tape.steps if s.number in started), key=lambda step: started[step.number])
    read: Layouts = head["read"]
    keep, patch = frozenset(number for number, _ in read), frozenset(head["patch"])

    first = World(state, tape).run(steps, keep)
    values = [first.read(*place) for place in read]
    real = [state.memory.view(state.memory[number], Spec.parse(spec)).contiguous() for number, spec in read]
    second = World(state, tape, put, first.told, swap, patch).run(steps, keep)
    last = World(state, tape, patch=patch, results=second.results).run(steps, keep) if patch else second
    changed = [number for number, sizes in last.sizes.items() if sizes != first.sizes.get(number)]
    failed = [text for number, text in last.errors.items() if number not in first.errors]
    arrays = [_plain(last.read(*place)) for place in read]
    room, pairs = MOST_TOLD, []
    for number, value in last.told.items():
        if number in first.told and (room := room - 2 * value.nbytes) >= 0:
            pairs += [first.told[number], value]
    told = {
        "read": [_layout(one) for one in arrays],
        "told": [_layout(one) for one in pairs],
        "faithful": all(_same(one, other) for one, other in zip(values, real, strict=True)),
        "diverged": [f"command {number} has another shape" for number in changed] + failed,
        "left": len(tape.steps) - len(steps),
    }
    return json.dumps(told).encode(), b"".join(one.tobytes() for one in (*arrays, *pairs))


def _values(found: Found) -> torch.Tensor | None:
    """A copy of what the call found, if it writes there."""
    if not found.copied:
        return found.storage.tensor
    return None if found.values is None or found.storage.spec is None else copied(found.values, found.storage.spec)


def _plain(tensor: torch.Tensor) -> np.ndarray:
    """For the judge, which has no half precision."""
    array: np.ndarray = (tensor.float() if tensor.dtype in (torch.bfloat16, torch.float16) else tensor).numpy()
    return array


def _layout(array: np.ndarray) -> list[Any]:
    return [array.dtype.name, list(array.shape)]


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    return bytes(bytes_of(one)) == bytes(bytes_of(other))


def _key(part: dict[str, Any]) -> tuple[str, int]:
    return part["group"], part["sequence"]


def _name(step: Step) -> str:
    return step.what.plan.name if isinstance(step.what, Launch) else step.kind


def _touched(step: Step) -> tuple[int, ...]:
    if isinstance(step.what, Launch):
        return (*step.what.storages, *step.what.made)
    if step.kind == "collective":
        return tuple(number for part in step.what for number, _ in (*part["ins"], *part["outs"]))
    return (step.what[0],)


def _written(step: Step) -> tuple[int, ...]:
    if isinstance(step.what, Launch):
        return tuple(step.what.storages[place] for place in step.what.plan.writes)
    if step.kind == "collective":
        return tuple(number for part in step.what for number, _ in part["outs"])
    return (step.what[0],) if step.kind == "upload" else ()
