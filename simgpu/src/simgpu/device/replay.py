"""Replays a judge's call, in the kernel process alone: the same commands, on other inputs.

Results that the device computed change with the inputs; numbers that were computed on the host stay the same.
The replay runs in a child of the kernel process, on copies of its values. It calls kernels again with a student's
arguments, but cannot change the values of the call itself.
The keeper's side is :mod:`.replay_request`.
"""

import json
import os
import signal
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from simgpu.device.plans import Plan, parse_plan
from simgpu.device.reductions import Results, results_of, write_result
from simgpu.device.replay_swap import Swap
from simgpu.device.runner import Runner
from simgpu.device.values import Values, copied
from simgpu.frames import BadMessage, Buffer, Inbox, json_message, message, parse_json, send
from simgpu.system import HAS_FORK, limit_processor_time
from simgpu.wire import Spec, bytes_of, tensor_of

MOST_TOLD = 4 << 20
"""The most bytes of values reported to the host that the judge gets."""
MOST_SECONDS = 15
"""A limit of the child's processor time; on a busy machine, wall-clock time would say nothing about the call."""
MOST = 1 << 31
"""The most bytes of a request or an answer, which the device's memory limits further."""
MOMENT = 0.001
"""A time limit in seconds when there is no time left: 0 would mean none."""
Told = dict[int, np.ndarray]


@dataclass(frozen=True, eq=False, slots=True)
class Called:
    """A launch of a plan: storages by the front end's numbers."""

    plan: Plan
    storages: tuple[int, ...]
    made: tuple[int, ...]
    values: tuple[float, ...]
    seed: int


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """A command of the tape, as in :class:`.replay_tape.Step`; ``what`` of a launch is a ``Called``."""

    kind: str
    number: int
    what: Any
    brought: torch.Tensor | None = None


@dataclass(frozen=True, eq=False)
class Played:
    """The tape to replay.

    Attributes:
        steps: In the order in which they ran.
        found: The storages that the call found: layout, values, and whether to copy them before a write.
        allocated: Layouts of what nothing fills.
        freed: The storages that the front end freed.
    """

    steps: Sequence[Step]
    found: Mapping[int, tuple[Spec | None, torch.Tensor | None, bool]] = field(default_factory=dict)
    allocated: Mapping[int, Spec] = field(default_factory=dict)
    freed: frozenset[int] = frozenset()


class World:
    """A separate memory in which a tape runs.

    Args:
        tape: The steps to run.
        put: Values that replace those that the call found, by storage.
        first: The values reported to the host in the world of the call's own inputs. If given, copies from the host
            bring the replacements of what they brought.
        swap: Replacements of values, by the old value.
        patch: Commands whose results are kept.
        results: Results of these commands in another world, which replace those that they make here.

    Attributes:
        told: The values reported to the host, by the command's number.
        sizes: The sizes, also reported to the host, of results whose shape depends on values.
        errors: Commands that failed.
        results: The results of the commands of ``patch``.
    """

    def __init__(
        self,
        tape: Played,
        put: Mapping[int, torch.Tensor] | None = None,
        first: Told | None = None,
        swap: Swap | None = None,
        patch: frozenset[int] = frozenset(),
        results: Mapping[int, list[torch.Tensor]] | None = None,
    ) -> None:
        self.tape, self.first, self.swap, self.patch, self.given = tape, first, swap, patch, results
        self.told: Told = {}
        self.sizes: dict[int, list[torch.Size]] = {}
        self.errors: dict[int, str] = {}
        self.results: dict[int, list[torch.Tensor]] = {}
        self.values: dict[int, Values] = {}
        self.runner = Runner()
        self._meetings: dict[tuple[str, int], Results] = {}
        self._put = put or {}
        for number, (spec, values, copy) in tape.found.items():
            if values is not None and spec is not None and copy:
                values = copied(values, spec)
            self.values[number] = Values(spec, tensor=self._put.get(number, values))
        for number, spec in tape.allocated.items():
            self.values[number] = Values(spec)

    def run(self, keep: frozenset[int]) -> "World":
        """Run the steps in order; freed storages that need not be kept are dropped after their last use."""
        steps = self.tape.steps
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
                except Exception as error:  # as on the device: its result stays unwritten
                    self.errors[step.number] = f"{_name(step)}: {error}"[:200]
                for number in leaving.get(place, ()):
                    self.values.pop(number, None)
        return self

    def read(self, number: int, spec: Any, now: Values) -> torch.Tensor:
        """Return a storage's content at the end; if the call has not touched it, what was put there before."""
        if number not in self.values:
            self.values[number] = Values(now.spec, tensor=self._put.get(number, now.tensor))
        return self._view(number, spec).contiguous()

    def _view(self, number: int, spec: Any) -> torch.Tensor:
        return self.values[number].view(Spec.parse(spec))

    def _patch(self, step: Step) -> None:
        numbers = dict.fromkeys((*_written(step), *(step.what.made if isinstance(step.what, Called) else ())))
        views = [v.view(v.spec) for n in numbers if (v := self.values[n]).spec is not None]
        self.results[step.number] = [view.clone() for view in views]
        for view, value in zip(views, (self.given or {}).get(step.number, ()), strict=False):
            view.copy_(value)

    def _call(self, called: Called) -> tuple[Any, list[torch.Tensor]]:
        storages = [self.values[n] for n in called.storages]
        return self.runner.run(called.plan, self._numbers(called.values), called.seed, storages)

    def _launch(self, step: Step) -> None:
        called = step.what
        outs = [Values(spec) for spec in called.plan.outs]
        self.values.update(zip(called.made, outs, strict=True))
        result, tensors = self._call(called)
        self.runner.keep(called.plan, result, tensors, outs)

    def _ask(self, step: Step) -> None:
        """Compare an answer to the host: what the host did next is on the tape, and fits only the same answer."""
        called = step.what
        self.values.update((number, Values(None)) for number in called.made)
        outs = iter(called.made)
        sizes, told = self.sizes.setdefault(step.number, []), []
        result, _ = self._call(called)
        for value in result if isinstance(result, tuple | list) else (result,):
            if isinstance(value, torch.Tensor):
                value = value.clone(memory_format=torch.contiguous_format)
                self.values[next(outs)] = Values(Spec.of(value), tensor=value)
                sizes.append(value.shape)
            elif not isinstance(value, complex):
                told.append(value)
        if told:
            self._tell(step, np.array(told, np.float64))

    def _upload(self, step: Step) -> None:
        number, spec = step.what
        data = step.brought
        if data is None:
            raise RuntimeError("the replay was given no values")
        place = self.values[number].view(Spec.parse(spec), overwritten=True)
        place.copy_(data if self.first is None or self.swap is None else self.swap.apply(data))

    def _download(self, step: Step) -> None:
        value = self._view(*step.what).contiguous()
        self._tell(step, (value.float() if value.dtype == torch.bfloat16 else value).numpy().copy())

    def _tell(self, step: Step, value: np.ndarray) -> None:
        self.told[step.number] = value
        if self.first is not None and self.swap is not None and step.number in self.first:
            self.swap.learn(self.first[step.number], value)

    def _numbers(self, values: tuple[float, ...]) -> tuple[float, ...]:
        if self.first is None or self.swap is None or not values:
            return values
        return self.swap.numbers(values)

    def _collective(self, step: Step) -> None:
        for part in step.what:
            key, members = _key(part), range(part["size"])
            if key not in self._meetings:
                given = [self._parts[key][rank]["ins"] for rank in members]
                ins = [[self._view(*place) for place in places] for places in given]
                self._meetings[key] = results_of(part["op"], part["reduce"], part["root"], ins)
            for place, value in zip(part["outs"], self._meetings[key][part["rank"]], strict=True):
                write_result(part["op"], members, self._view(*place), value)


class Replayer:
    """Replays calls, in a child of this process if the system can fork.

    Starting a child takes longer than most replays, so it serves the later ones, too. It gets copies of the values that
    a replay needs, and its only socket leads to this process. If it crashes or takes too long, the next one starts
    another.
    """

    def __init__(self) -> None:
        self._sock: socket.socket | None = None
        self._child = 0
        self._plans: dict[int, Plan] = {}  # where no child has them

    def replay(self, values: Mapping[int, Values], head: dict[str, Any], payload: memoryview) -> bytes | None:
        """Run a tape on other inputs.

        Args:
            values: The kernel process's values.
            head: The request, as :func:`.replay_request.request_replay` writes it.
            payload: The values that copies from the host brought, and the values of ``put`` and ``host``.

        Returns:
            The length of the JSON, the JSON, and arrays; None if the replay takes too long.

        Raises:
            RuntimeError: the child has failed.
        """
        given = {place: values[place] for place in _places(head)}
        if not HAS_FORK:  # no judge of untrusted code runs here, so no time limit is needed
            return _run_or_say_why_not(given, self._plans, head, payload)
        if self._sock is None:
            self._start()
        until = time.monotonic() + head["seconds"]
        found = None
        try:
            found = self._ask(json_message(0, *_packed(given, head, payload)), until)
        except TimeoutError:
            return None
        except (EOFError, OSError, BadMessage) as error:
            raise RuntimeError("the child process of the replay has failed") from error
        finally:
            if found is None:
                self._end()
        return found

    def _ask(self, request: Sequence[Buffer], until: float) -> bytes:
        assert self._sock is not None
        inbox = Inbox(self._sock, MOST, descriptors=False)
        self._sock.settimeout(max(MOMENT, until - time.monotonic()))
        self._sock.sendall(b"".join(request))
        while (found := inbox.take()) is None:
            self._sock.settimeout(max(MOMENT, until - time.monotonic()))
            inbox.fill()
        return found[1]

    def _start(self) -> None:
        self._sock, theirs = socket.socketpair()
        self._child = os.fork()
        if not self._child:
            _serve(theirs)
        theirs.close()

    def _end(self) -> None:
        assert self._sock is not None
        self._sock.close()
        self._sock = None
        os.kill(self._child, signal.SIGKILL)
        os.waitpid(self._child, 0)


def _serve(sock: socket.socket) -> None:
    """Be the child: replay until the other end is closed."""
    try:
        os.closerange(3, sock.fileno())
        os.closerange(sock.fileno() + 1, 1 << 16)  # the child has no other socket, not even the keeper's
        inbox, plans = Inbox(sock, MOST, descriptors=False), dict[int, Plan]()
        while True:
            head, payload = parse_json(inbox.read()[1], MOST)
            limit_processor_time(MOST_SECONDS)
            given = {}
            for place, layout, fits, held in head["values"]:
                spec = Spec.parse(layout) if layout else None
                given[place] = Values(spec, fits)
                if held and spec is not None:
                    nbytes = spec.extent * spec.dtype.itemsize
                    whole = tensor_of(payload[:nbytes], Spec(spec.dtype, (spec.extent,), (1,), 0))
                    given[place].tensor = whole.as_strided(spec.size, spec.stride, spec.offset)
                    payload = payload[nbytes:]
            send(sock, message(0, _run_or_say_why_not(given, plans, head, payload)))
    finally:
        os._exit(0)


def _places(head: dict[str, Any]) -> list[int]:
    """Return the numbers of the values that a request names."""
    found = [place for *_, place, _ in head["found"] if place]
    return list(dict.fromkeys([*found, *(place for *_, place in head["read"])]))


def _packed(given: Mapping[int, Values], head: dict[str, Any], payload: memoryview) -> tuple[dict[str, Any], bytes]:
    """Return a request with the values that it names, first in the payload."""
    told, data = [], list[Buffer]()
    for place, one in given.items():
        held = one.tensor is not None and one.spec is not None
        told.append([place, one.spec and one.spec.json(), one.fits, held])
        if one.tensor is not None and one.spec is not None:
            data.append(bytes_of(one.tensor.as_strided((one.spec.extent,), (1,), 0)))
    return head | {"values": told}, b"".join((*data, payload))


def _run_or_say_why_not(
    values: Mapping[int, Values], plans: dict[int, Plan], head: dict[str, Any], payload: memoryview
) -> bytes:
    try:
        told, data = _run(values, plans, head, payload)
    except Exception as error:  # a replay that does not fit decides nothing
        told = {"read": [], "told": [], "faithful": False, "diverged": [f"{error}"[:200]]}
        data = b""
    text = json.dumps(told).encode()
    return len(text).to_bytes(4, "little") + text + data


def _run(
    values: Mapping[int, Values], plans: dict[int, Plan], head: dict[str, Any], payload: memoryview
) -> tuple[dict[str, Any], bytes]:
    def take(spec: Any) -> torch.Tensor:
        nonlocal payload
        layout = Spec.parse(spec)
        nbytes = layout.numel * layout.dtype.itemsize
        data, payload = payload[:nbytes], payload[nbytes:]
        return tensor_of(data, layout)

    steps = []
    for kind, number, what, brought in head["steps"]:
        if kind in ("launch", "ask"):
            plan = plans.get(what[0]) or plans.setdefault(what[0], parse_plan(head["plans"][str(what[0])]))
            numbers = tuple(what[3])
            seed = int(numbers[-1]) if plan.random else 0
            what = Called(plan, tuple(what[1]), tuple(what[2]), numbers[:-1] if plan.random else numbers, seed)
        steps.append(Step(kind, number, what, take(brought) if brought else None))
    found = {
        number: (Spec.parse(spec) if spec else None, values[place].tensor if place else None, copy)
        for number, spec, place, copy in head["found"]
    }
    allocated = {number: Spec.parse(spec) for number, spec in head["allocated"]}
    tape = Played(steps, found, allocated, frozenset(head["freed"]))
    put = {number: take(spec) for number, spec in head["put"]}
    swap = Swap()
    for old, new in head["host"]:
        swap.learn(take(old).numpy(), take(new).numpy())
    read = [(number, spec, values[place]) for number, spec, place in head["read"]]
    keep, patch = frozenset(number for number, *_ in read), frozenset(head["patch"])

    first = World(tape).run(keep)
    seen = [first.read(*place) for place in read]
    real = [now.view(Spec.parse(spec)).contiguous() for _, spec, now in read]
    second = World(tape, put, first.told, swap, patch).run(keep)
    last = World(tape, patch=patch, results=second.results).run(keep) if patch else second
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
        "faithful": all(_same(one, other) for one, other in zip(seen, real, strict=True)),
        "diverged": [f"command {number} has another shape" for number in changed] + failed,
    }
    return told, b"".join(one.tobytes() for one in (*arrays, *pairs))


def _plain(tensor: torch.Tensor) -> np.ndarray:
    """Convert to types of the judge, which has no half precision."""
    array: np.ndarray = (tensor.float() if tensor.dtype in (torch.bfloat16, torch.float16) else tensor).numpy()
    return array


def _layout(array: np.ndarray) -> list[Any]:
    return [array.dtype.name, list(array.shape)]


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    return bytes(bytes_of(one)) == bytes(bytes_of(other))


def _key(part: dict[str, Any]) -> tuple[str, int]:
    return part["group"], part["sequence"]


def _name(step: Step) -> str:
    return step.what.plan.name if isinstance(step.what, Called) else step.kind


def _touched(step: Step) -> tuple[int, ...]:
    if isinstance(step.what, Called):
        return (*step.what.storages, *step.what.made)
    if step.kind == "collective":
        return tuple(number for part in step.what for number, _ in (*part["ins"], *part["outs"]))
    return (step.what[0],)


def _written(step: Step) -> tuple[int, ...]:
    if isinstance(step.what, Called):
        return tuple(step.what.storages[place] for place in step.what.plan.writes)
    if step.kind == "collective":
        return tuple(number for part in step.what for number, _ in part["outs"])
    return (step.what[0],) if step.kind == "upload" else ()
