"""The judge's end of a simulated GPU: gates, log, values, memory and times come from the device's process alone."""

import math
import socket
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import starmap
from typing import Any

import numpy as np

from ..base import EngineArray, EngineGone, Event, Handle, Memory, Moment, NotReplayed, OutsideEngine, Replay, TooMuch
from .channel import Channel, Refused
from .events import Call, Entry, short

DEVICES = 4
FIRST_STORAGE = 1 << 62  # of storages that the judge puts there
MOST_ENTRIES = 30_000  # in one call
MOST_JSON_BYTES = 1 << 16  # bytes of an answer that is only JSON
EVENT = "event"  # the layout of a handle that names a moment
# PyTorch's types, each with NumPy's type or the type that the device returns instead.
TYPES = {
    **{name: name for name in "float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool".split()},
    "float16": "float32",
    "bfloat16": "float32",
}
# Opens every gate, connects the front end, and lets a full log drop entries.
OPEN: tuple[dict[str, Any], ...] = (
    {"do": "hear"},
    {"do": "release", "stream": None, "device": None, "upto": None},
    {"do": "need", "log": False},
)
MOST_REPLAYED = 80 << 20  # bytes that the replay reads, and bytes that the host reads
MOST_AT_ONCE = 4 << 20  # bytes of arrays that wait to be put on the device
MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 0.001, 0.016  # seconds between two checks whether everything has run
UNWRITTEN = 113  # what the device returns for memory that was never written; floating point is NaN, a bool is True


class Outside(OutsideEngine):
    """The client of simgpu's device process, at the judge's end of its socket.

    ``sent`` returns how many bytes the front end has sent, if it is in this process.
    """

    def __init__(self, judge: socket.socket, sent: Callable[[], int] | None = None):
        self._channel = Channel(judge, sent)
        self._storage = FIRST_STORAGE
        self._began = self._entries = self._runs = 0
        self._given: list[int] = []
        self._puts: list[dict[str, Any]] = []  # arrays that the device does not have yet
        self._gates: dict[int, str] = {}
        self._results = self._unrelated = False
        self._before: list[dict[str, int]] = []
        self._log: list[Entry] = []
        self._memory: dict[int, Memory] = {}
        self._call = Call((), {}, False, False, 0)
        self._unfinished: set[int] = set()

    def close(self) -> None:
        self._channel.close()

    def ended(self) -> str:
        """Return why the device ignores the front end. Raises EngineGone if it or its kernel process has ended."""
        state, _ = self._channel.ask("state", limit=MOST_JSON_BYTES)
        _check(state)
        return str(state["ended"] or "")[:200]

    def resume(self) -> None:
        """Open every gate, and read the front end."""
        self._ask_all(*OPEN)

    def finish(self, seconds: float) -> None:
        """Open every gate and wait; drop work that has not run by then."""
        self.resume()
        try:
            self._settle(seconds)
        except TimeoutError:
            self._channel.ask("give up")
            self._settle(seconds)

    def begin(self, seconds: float) -> None:
        """Open every gate, wait, and note the position in the log."""
        # Earlier failures do not belong to this call.
        keep = {"do": "keep", "on": True}
        anew: list[dict[str, Any]] = [{"do": "count"}, {"do": "forget error"}, keep, *_usage()]
        # The log is needed from here on; earlier entries may be dropped.
        state, *found = self._ask_all(*OPEN, {"do": "need", "log": True}, {"do": "state"}, *anew)[len(OPEN) + 1 :]
        if not state["idle"]:
            state = self._settle(seconds)
            found = self._ask_all(*anew)
        _check(state)
        self._before = found[-DEVICES:]
        self.calls += 1
        self._began, self._entries, self._runs = state["clock"], state["log"], state["runs"]
        self._given, self._gates, self._results, self._unrelated = [], {}, False, False
        self._puts = []

    def put(self, array: EngineArray) -> Handle:
        gradient = None
        if array.gradient is not None:
            gradient = self._put(array.gradient, array.device)
        handle = self._put(array.values, array.device, gradient, array.look)
        self._given.append(handle.storage)
        return handle

    def _put(self, values: np.ndarray, device: int, gradient: Handle | None = None, look: bool = False) -> Handle:
        if not 1 <= device <= DEVICES:
            raise ValueError(f"there is no device {device}: the devices are 1 to {DEVICES}, and the host 0")
        values = np.asarray(values)
        if values.dtype.name not in TYPES:
            raise ValueError(f"a tensor cannot be of {values.dtype}")
        layout = _spec(values)
        self._storage += 1
        data = np.ascontiguousarray(values).tobytes()
        head = {"storage": self._storage, "spec": layout, "device": device - 1, "look": look, "bytes": len(data)}
        self._puts.append({**head, "payload": data})
        if sum(len(one["payload"]) for one in self._puts) > MOST_AT_ONCE:
            self._flush()
        return Handle(self._storage, layout, device, gradient)

    def hold(self, arrays: Sequence[tuple[str, Handle]], results: bool, unrelated: bool) -> None:
        """Hold everything, or work that uses one of these arrays, until the front end waits."""
        self._gates = {handle.storage: label for label, handle in arrays}
        self._results, self._unrelated = results, unrelated
        self._flush(
            *([{"do": "hold until waited for"}] if results else []),
            *([{"do": "hold storages", "numbers": list(self._gates)}] if self._gates else []),
        )

    def _flush(self, *parts: dict[str, Any]) -> None:
        """Send the pending arrays together with this request."""
        puts, self._puts = self._puts, []
        if puts:
            payload = b"".join(one.pop("payload") for one in puts)
            parts = ({"do": "put", "arrays": puts, "payload": payload}, *parts)
        if parts:
            self._ask_all(*parts)

    def fence(self, seconds: float) -> None:
        """Stop reading the front end, and read what has happened."""
        report = _log(self._entries), {"do": "runs", "since": self._runs, "most": MOST_ENTRIES}, *_usage()
        _, state, *found = self._ask_all({"do": "fence"}, {"do": "state"}, *report)
        if not state["idle"]:
            self._settle(seconds, state)
            found = self._ask_all(*report)
        _check(state)
        entries, ended, *usage = found
        self._log = list(starmap(Entry, entries))
        ran = {number for number, *_ in ended}
        self._call = Call(self._log, self._gates, self._results, self._unrelated, self._began, self._given)
        if len(self._log) > MOST_ENTRIES:
            self._call.overflow()
        commands = [entry for entry in self._log if entry.writes and entry.kind not in ("free", "record stream")]
        ran -= self._call.unacknowledged  # waits without proof that anyone waited
        self._unfinished = {storage for entry in commands if entry.number not in ran for storage in entry.writes}
        self._memory = {
            number: Memory(
                before["allocated"], now["made"], now["most_made"], now["pinned"], before["allocated"] - before["older"]
            )
            for number, (before, now) in enumerate(zip(self._before, usage, strict=True), 1)
        }

    def pending(self) -> tuple[str, ...]:
        """The gates that no wait has opened."""
        return self._call.closed

    def is_ready(self, handle: Handle) -> bool:
        """Whether no pending work was still to write to the array."""
        return handle.storage not in self._unfinished

    def release(self, seconds: float) -> str | None:
        """Let everything run; return the name of the call's first failed operation."""
        since = self._entries + len(self._log)
        _, state, later = self._ask_all(OPEN[1], {"do": "state"}, _log(since))
        if not state["idle"]:
            self._settle(seconds)
            (later,) = self._ask_all(_log(since))
        return next(
            (short(entry.name) for entry in (*self._log, *starmap(Entry, later)) if entry.kind == "error"), None
        )

    def read(self, handles: Sequence[Handle], limit: int) -> list[EngineArray | Moment]:
        """Return the current values; for an event, when it ran, in seconds since the call began."""
        wanted, left = list[Handle](), limit
        for handle in handles:
            if handle.layout != (EVENT,):
                parts = [one for one in (handle, handle.gradient) if one is not None]
                sizes = [_nbytes(one) for one in parts]
                if sum(sizes) > left:
                    raise TooMuch("a tensor is too large to be read")
                left -= max(sizes)
                wanted += parts
        values, found = iter(self._values(wanted)), list[EngineArray | Moment]()
        for handle in handles:
            if handle.layout == (EVENT,):
                found.append(self._moment(handle.storage))
                continue
            now, device = next(values)
            gradient = None if handle.gradient is None else next(values)[0]
            found.append(EngineArray(now, device, gradient=gradient, number=self._call.number(handle.storage)))
        return found

    def _moment(self, ticket: int) -> Moment:
        if not any(entry.kind == "record" and entry.number == ticket for entry in self._log):
            raise ValueError("no event of this call's")
        (when,), _ = self._channel.ask("times", numbers=[ticket])
        return Moment(None if when is None else (int(when) - self._began) / 1e9)

    def _values(self, handles: Sequence[Handle]) -> list[tuple[np.ndarray, int]]:
        """Read the values and the device of each, with one request."""
        layouts = [_layout(handle.layout) for handle in handles]
        kinds = [np.dtype(TYPES[name]) for name, _ in layouts]
        counts, most = [math.prod(size) for _, size in layouts], sum(map(_nbytes, handles))
        of = [[handle.storage, list(handle.layout)] for handle in handles]
        replies, data = self._channel.ask("values", limit=most, of=of) if of else ([], b"")
        found, place = [], 0
        for handle, (_, size), kind, count, reply in zip(handles, layouts, kinds, counts, replies, strict=True):
            if reply is None:
                blank: Any = np.nan if kind.kind == "f" else kind.kind == "b" or UNWRITTEN
                found.append((np.full(size, blank, kind), handle.device))
                continue
            values = np.frombuffer(bytearray(data[place : place + count * kind.itemsize]), kind).reshape(size)
            place += values.nbytes
            found.append((values, int(reply["device"]) + 1))
        if place != len(data):
            raise ValueError("the device sent another number of bytes")
        return found

    def log(self, lines: Iterable[tuple[int, int]] = ()) -> tuple[Event, ...]:
        """Return the call's events, with the lines that the student's side reports."""
        return tuple(self._call.with_lines(lines))

    def memory(self) -> dict[int, Memory]:
        return self._memory

    def replay(
        self,
        values: Mapping[int, np.ndarray],
        host: Sequence[tuple[np.ndarray, np.ndarray]],
        read: Sequence[Handle],
        through: Sequence[int],
        seconds: float,
    ) -> Replay:
        self._settle(seconds, self._ask_all({"do": "fence"}, {"do": "state"})[-1])  # the student's threads continue
        arrays = [np.ascontiguousarray(one) for one in (*values.values(), *(one for pair in host for one in pair))]
        specs = [_spec(one) for one in arrays]
        rest = specs[len(values) :]
        try:
            answer, data = self._channel.ask(
                "replay",
                b"".join(one.tobytes() for one in arrays),
                limit=MOST_REPLAYED,
                put=list(zip((self._given[number - 1] for number in values), specs, strict=False)),
                host=list(zip(rest[::2], rest[1::2], strict=True)),
                read=[[handle.storage, list(handle.layout)] for handle in read],
                patch=self._call.commands(through),
                seconds=seconds,
            )
        except Refused as refused:
            if refused.error == "TimeoutError":
                raise TimeoutError from None
            if refused.error == "RuntimeError":
                raise NotReplayed(str(refused)) from None
            raise
        finally:
            self.resume()
        found = _arrays((*answer["read"], *answer["told"]), data)
        pairs = found[len(read) :]
        fits = answer["faithful"] is True and not answer["diverged"]
        return Replay(found[: len(read)], list(zip(pairs[::2], pairs[1::2], strict=True)), fits)

    def _settle(self, seconds: float, state: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the state once nothing more can run; the current state may be passed in."""
        deadline, pause = time.monotonic() + seconds, MIN_PAUSE_SECONDS
        while state is None or not state["idle"]:
            if time.monotonic() > deadline:
                raise TimeoutError
            if state is not None:
                time.sleep(pause)
                pause = min(2 * pause, MAX_PAUSE_SECONDS)
            state, _ = self._channel.ask("state", limit=MOST_JSON_BYTES)
        _check(state)
        return dict(state)

    def _ask_all(self, *parts: dict[str, Any]) -> list[Any]:
        return self._channel.ask_all(*map(dict, parts))


def _check(state: dict[str, Any]) -> None:
    """Raise EngineGone if the device no longer runs kernels, whatever ended the kernel process."""
    if state["crashed"]:
        raise EngineGone(str(state["crashed"])[:200])


def _usage() -> list[dict[str, Any]]:
    return [{"do": "memory", "device": device} for device in range(DEVICES)]


def _log(since: int) -> dict[str, Any]:
    return {"do": "log", "since": since, "most": MOST_ENTRIES + 1}


def _spec(values: np.ndarray) -> tuple[str, list[int], list[int], int]:
    strides = [math.prod(values.shape[place + 1 :]) for place in range(values.ndim)]
    return values.dtype.name, list(values.shape), strides, 0


def _nbytes(handle: Handle) -> int:
    name, size = _layout(handle.layout)
    return math.prod(size) * np.dtype(TYPES[name]).itemsize


def _arrays(layouts: Iterable[Any], data: bytes) -> list[np.ndarray]:
    """Arrays of these types and sizes, one after the other in the data. Raises ValueError if they do not fit."""
    found, place = [], 0
    for name, size in layouts:
        kind, count = np.dtype(TYPES[name]), math.prod(size)
        found.append(np.frombuffer(data, kind, count, place).reshape(size))
        place += count * kind.itemsize
    return found


def _layout(layout: tuple[Any, ...]) -> tuple[str, tuple[int, ...]]:
    """Return the type's name and the sizes in the student's side's description of a tensor, or raise ValueError."""
    try:
        name, size, stride, offset = layout
        numbers = [*size, *stride, offset]
    except (TypeError, ValueError):
        raise ValueError("a tensor has type, sizes, strides and an offset") from None
    if name not in TYPES or len(size) != len(stride) or len(size) > 64:
        raise ValueError("no such layout")
    if not all(type(number) is int and 0 <= number < 1 << 48 for number in numbers):
        raise ValueError("no such layout")
    return name, tuple(size)
