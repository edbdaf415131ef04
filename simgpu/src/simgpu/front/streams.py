"""Streams and events, as ``torch.cuda.Stream`` and ``torch.cuda.Event``."""

import itertools
import operator
from types import TracebackType
from typing import Any

import torch

from simgpu.frames import Kind, json_message
from simgpu.front import state
from simgpu.front.backward import current_stream_number
from simgpu.front.link import link
from simgpu.front.waits import explicit_wait
from simgpu.wire import HIGH_POOL, POOL, STREAMS

_pools: dict[tuple[int, bool], "itertools.cycle[int]"] = {}


class Stream:
    """A queue of a device; from a pool of 32 for each priority, in turn, as on CUDA.

    Args:
        device: Where; the current device, if None.
        priority: -1 is high, 0 low.
        stream_id: An existing stream's number.
        device_index: The same as ``device``, under PyTorch's name next to ``stream_id``.
        device_type: The type of the device; there is one type.
    """

    def __init__(
        self,
        device: Any = None,
        priority: int = 0,
        *,
        stream_id: int | None = None,
        device_index: int | None = None,
        device_type: int | None = None,
    ) -> None:
        if stream_id is None:
            index, high = state.index_of(device if device_index is None else device_index), operator.index(priority) < 0
            if (index, high) not in _pools:
                _pools[index, high] = itertools.cycle(index * STREAMS + n for n in (HIGH_POOL if high else POOL))
            stream_id = next(_pools[index, high])
        self.stream_id = stream_id
        self.device = state.DEVICES[stream_id // STREAMS]
        self.device_index = self.device.index
        self.priority = -1 if stream_id % STREAMS in HIGH_POOL else 0
        self._entered = state.Entered()
        if stream_id % STREAMS:
            state.Flags.side_streams = True

    @staticmethod
    def priority_range() -> tuple[int, int]:
        """The least and the greatest priority."""
        return 0, -1

    @property
    def device_type(self) -> int:
        """PyTorch's number for the kind of device."""
        return state.TYPE

    @property
    def native_handle(self) -> int:
        """Refused: this stream belongs to no driver."""
        raise state.NotSimulated("simgpu: native_handle is not simulated; this stream belongs to no CUDA driver")

    @property
    def cuda_stream(self) -> int:
        """Refused in the same way."""
        raise state.NotSimulated("simgpu: cuda_stream is not simulated; this stream belongs to no CUDA driver")

    def is_capturing(self) -> bool:
        """Never: CUDA graphs are not simulated. Optimizers check this."""
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and other.stream_id == self.stream_id

    def __hash__(self) -> int:
        return self.stream_id

    def __repr__(self) -> str:
        place = f"device_type={self.device.type}, device_index={self.device_index}"
        return f"<{state.PLACE}.Stream {place}, stream_id={self.stream_id}>"

    def record_event(self, event: "Event | None" = None) -> "Event":
        """Record an event after the work launched here."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: "Event") -> None:
        """Make later work here wait for an event; the host does not wait."""
        if event.ticket:
            head = {"stream": self.stream_id, "ticket": event.ticket}
            link().post(Kind.STREAM_WAIT, json_message(Kind.STREAM_WAIT, head), self.stream_id // STREAMS)

    def wait_stream(self, other: "Stream") -> None:
        """Make later work here wait for the work already launched there."""
        self.wait_event(other.record_event())

    def synchronize(self) -> None:
        """Make the host wait for the work launched here."""
        explicit_wait("stream.synchronize", stream=self.stream_id, upto=link().number)

    def query(self) -> bool:
        """Whether all of it has run. Repeated calls count as a wait: see the README."""
        return bool(link().call("query", stream=self.stream_id, upto=link().number))

    def __enter__(self) -> "Stream":
        self._entered.enter(self.device_index, {self.device_index: self.stream_id})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._entered.leave()


class Event:
    """A place in a stream's queue."""

    def __init__(
        self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False, external: bool = False
    ) -> None:
        if interprocess:
            raise NotImplementedError("simgpu: events of other processes are not simulated")
        if external:
            raise NotImplementedError("simgpu: events of CUDA graphs are not simulated")
        self.enable_timing, self.ticket, self.stream = enable_timing, 0, 0

    @property
    def device(self) -> torch.device:
        """The device where it was recorded; without an index before that."""
        return state.DEVICES[self.stream // STREAMS] if self.ticket else torch.device(state.NAME)

    @property
    def event_id(self) -> int:
        """The command that records it; 0 before that."""
        return self.ticket

    @property
    def cuda_event(self) -> int:
        """Refused: this event belongs to no driver."""
        raise state.NotSimulated("simgpu: cuda_event is not simulated; this event belongs to no CUDA driver")

    def ipc_handle(self) -> bytes:
        """Refused.

        Raises:
            NotSimulated: always.
        """
        raise state.NotSimulated("simgpu: events of other processes are not simulated")

    @classmethod
    def from_ipc_handle(cls, device: Any, handle: bytes) -> "Event":
        """Refused.

        Raises:
            NotSimulated: always.
        """
        raise state.NotSimulated("simgpu: events of other processes are not simulated")

    def __repr__(self) -> str:
        index = -1 if self.device.index is None else self.device.index
        place = f"device_type={self.device.type}, device_index={index}"
        return f"<{state.PLACE}.Event {place}, event_id={self.event_id}>"

    def record(self, stream: Stream | None = None) -> None:
        """Record the event after the work launched on a stream; by default the current one."""
        self.stream = current_stream_number() if stream is None else stream.stream_id
        message = json_message(Kind.RECORD, {"stream": self.stream})
        self.ticket = link().post(Kind.RECORD, message, self.stream // STREAMS)

    def wait(self, stream: Stream | None = None) -> None:
        """Make a stream wait; the current one, if None."""
        (Stream(stream_id=current_stream_number()) if stream is None else stream).wait_event(self)

    def synchronize(self) -> None:
        """Make the host wait."""
        if self.ticket:
            explicit_wait("event.synchronize", stream=self.stream, upto=self.ticket)

    def query(self) -> bool:
        """Whether it has happened; true for an event that was never recorded."""
        return not self.ticket or bool(link().call("query", stream=self.stream, upto=self.ticket))

    def elapsed_time(self, end: "Event") -> float:
        """Return the time between two events.

        Returns:
            Milliseconds of the device's clock.

        Raises:
            ValueError: they are without timing, or not recorded.
            RuntimeError: they have not happened.
        """
        if not (self.enable_timing and end.enable_timing):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if not (self.ticket and end.ticket):
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        taken = link().call("elapsed", tickets=[self.ticket, end.ticket])
        if taken is None:
            raise RuntimeError("Both events must be completed before calculating elapsed time.")
        return float(taken)


def current_stream(device: Any = None) -> Stream:
    """As ``torch.cuda.current_stream``."""
    return Stream(stream_id=current_stream_number(state.index_of(device)))


def default_stream(device: Any = None) -> Stream:
    """As ``torch.cuda.default_stream``."""
    return Stream(stream_id=state.DEFAULT_STREAMS[state.index_of(device)])


def set_stream(stream: Stream | None) -> None:
    """As ``torch.cuda.set_stream``; None changes nothing."""
    if stream is not None:
        state.LOCAL.change(stream.device_index, {stream.device_index: stream.stream_id})


class StreamContext:
    """As ``torch.cuda.stream(stream)``; None changes nothing."""

    def __init__(self, stream: Stream | None) -> None:
        self.stream, self._entered = stream, state.Entered()

    def __enter__(self) -> None:
        if self.stream is not None:
            device = self.stream.device_index
            self._entered.enter(device, {device: self.stream.stream_id}, keep=[state.LOCAL.device])

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.stream is not None:
            self._entered.leave()
