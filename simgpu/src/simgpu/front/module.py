"""``torch.get_device_module("simgpu")``, the counterpart of ``torch.cuda``."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import torch

from simgpu.front import cuda_gaps, memory, rng, state, streams, waits
from simgpu.front.link import is_started, link


class DeviceContext:
    """As ``torch.cuda.device``."""

    def __init__(self, device: Any) -> None:
        self.index, self._entered = _index_or_none(device), state.Entered()

    def __enter__(self) -> None:
        self._entered.enter(state.LOCAL.device if self.index is None else self.index, {})

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._entered.leave()


def _index_or_none(device: Any) -> int | None:
    """Return the device that a program changes to; None, for a negative number, changes nothing."""
    return None if isinstance(device, int) and device < 0 else state.index_of(device)


class DeviceOf(DeviceContext):
    """As ``torch.cuda.device_of``: the device of a tensor, or no change for a tensor of the host."""

    def __init__(self, tensor: torch.Tensor) -> None:
        super().__init__(tensor.device.index if tensor.device.type in state.OURS else -1)


class Ranges:
    """``torch.cuda.nvtx``: names for a profiler that does not exist here."""

    def range_push(self, msg: str, *_: Any) -> int:
        """Nothing."""
        return 0

    def range_start(self, msg: str, *_: Any) -> int:
        """Nothing."""
        return 0

    def range_pop(self) -> int:
        """Nothing."""
        return 0

    def range_end(self, range_id: int) -> None:
        """Nothing."""

    def mark(self, msg: str, *_: Any) -> None:
        """Nothing."""

    def __getattr__(self, name: str) -> Any:
        if f"nvtx.{name}" in cuda_gaps.REFUSED:
            raise state.NotSimulated(cuda_gaps.sentence(f"nvtx.{name}", cuda_gaps.REFUSED[f"nvtx.{name}"]))
        raise AttributeError(f"torch.simgpu.nvtx has no {name}")

    @contextlib.contextmanager
    def range(self, msg: str, *args: Any, **kwargs: Any) -> Iterator[None]:
        """Do nothing around a block or a decorated function."""
        yield


@dataclass(frozen=True)
class Properties:
    """The simulated ones of the properties of ``torch.cuda.get_device_properties``.

    Attributes:
        name: Honest.
        total_memory: Bytes.
        major: The major number of a capability that CUDA does not have.
        minor: The same.
        multi_processor_count: Those of a simulated card, else the threads of one kernel.
    """

    name: str
    total_memory: int
    major: int
    minor: int
    multi_processor_count: int

    def __getattr__(self, name: str) -> Any:
        raise state.NotSimulated(cuda_gaps.sentence(f"get_device_properties().{name}", "there is no hardware to ask"))


class DeviceModule:
    """One object for the process; PyTorch calls some of its functions itself.

    Attributes:
        _card: Name and number of processors of the card that is simulated, if there is one.
    """

    _card: tuple[str, int] | None = None

    Stream, Event, stream, device = streams.Stream, streams.Event, streams.StreamContext, DeviceContext
    StreamContext, device_of, nvtx = streams.StreamContext, DeviceOf, Ranges()
    OutOfMemoryError = torch.OutOfMemoryError
    memory, random, streams = memory, rng, streams
    has_half, has_magma = True, False
    current_stream = staticmethod(streams.current_stream)
    default_stream = staticmethod(streams.default_stream)
    set_stream = staticmethod(streams.set_stream)
    set_sync_debug_mode = staticmethod(waits.set_sync_debug_mode)
    get_sync_debug_mode = staticmethod(waits.get_sync_debug_mode)
    manual_seed, manual_seed_all = staticmethod(rng.manual_seed), staticmethod(rng.manual_seed_all)
    seed, seed_all = staticmethod(rng.seed), staticmethod(rng.seed_all)
    initial_seed = staticmethod(rng.initial_seed)
    get_rng_state, set_rng_state = staticmethod(rng.get_rng_state), staticmethod(rng.set_rng_state)
    get_rng_state_all, set_rng_state_all = staticmethod(rng.get_rng_state_all), staticmethod(rng.set_rng_state_all)
    memory_allocated = staticmethod(memory.memory_allocated)
    max_memory_allocated = staticmethod(memory.max_memory_allocated)
    memory_reserved = staticmethod(memory.memory_reserved)
    max_memory_reserved = staticmethod(memory.max_memory_reserved)
    memory_stats, memory_summary = staticmethod(memory.memory_stats), staticmethod(memory.memory_summary)
    reset_peak_memory_stats = staticmethod(memory.reset_peak_memory_stats)
    reset_accumulated_memory_stats = staticmethod(memory.reset_accumulated_memory_stats)
    empty_host_cache = staticmethod(memory.empty_host_cache)
    empty_cache, mem_get_info = staticmethod(memory.empty_cache), staticmethod(memory.mem_get_info)
    host_memory_allocated = staticmethod(memory.host_memory_allocated)
    memory_cached, max_memory_cached = memory_reserved, max_memory_reserved
    reset_max_memory_allocated = reset_max_memory_cached = reset_peak_memory_stats
    memory_stats_as_nested_dict = staticmethod(memory.memory_stats_as_nested_dict)
    device_memory_used = staticmethod(memory.device_memory_used)
    get_allocator_backend = staticmethod(lambda: "native")
    ipc_collect = staticmethod(lambda: None)
    get_arch_list, get_gencode_flags = staticmethod(lambda: list[str]()), staticmethod(lambda: "")
    is_current_stream_capturing = is_tf32_supported = staticmethod(lambda: False)

    @property
    def default_generators(self) -> tuple[rng.Generator, ...]:
        """Each device's own generator."""
        return tuple(rng.default(d) for d in range(len(state.DEVICES)))

    def synchronize(self, device: Any = None) -> None:
        """The host waits for all streams of a device."""
        waits.explicit_wait("synchronize", device=state.index_of(device), upto=link().number)

    def is_available(self) -> bool:
        """Always."""
        return True

    def is_initialized(self) -> bool:
        """Whether the device process has been started."""
        return is_started()

    @property
    def _initialized(self) -> bool:
        """Whether generators have states: ``torch.utils.checkpoint`` checks this before storing them."""
        return is_started()

    def init(self) -> None:
        """Start the device process if it is not running."""
        link()

    _lazy_init = init

    def _is_in_bad_fork(self) -> bool:
        return is_started() and link().forked

    def device_count(self) -> int:
        """Return the number of devices."""
        return len(state.DEVICES)

    def current_device(self) -> int:
        """The thread's device."""
        return state.LOCAL.device

    def set_device(self, device: Any) -> None:
        """Make a device the thread's current one; a negative number changes nothing."""
        index = _index_or_none(device)
        if index is not None:
            state.LOCAL.device = index

    def _exchange_device(self, device: int) -> int:
        """Make a device the thread's current one; return the one before, or -1 for a negative number."""
        before = state.LOCAL.device
        self.set_device(device)
        return before if device >= 0 else -1

    _maybe_exchange_device = _exchange_device

    def _set_stream_by_id(self, stream_id: int, device_index: int, device_type: int) -> None:
        """Make a stream the current one of its device."""
        streams.set_stream(streams.Stream(stream_id=stream_id))

    def get_device_name(self, device: Any = None) -> str:
        """Honest."""
        state.index_of(device)
        return self._card[0] if self._card else "simulated GPU"

    def get_device_capability(self, device: Any = None) -> tuple[int, int]:
        """Return a capability that no CUDA device has."""
        return 0, 0

    def get_device_properties(self, device: Any = None) -> Properties:
        """Return the properties of a device."""
        capability = self.get_device_capability(device)
        processors = self._card[1] if self._card else link().limits.threads
        return Properties(self.get_device_name(device), link().limits.memory, *capability, processors)

    def can_device_access_peer(self, device: Any, peer: Any) -> bool:
        """All devices can copy to each other."""
        return state.index_of(device) != state.index_of(peer)

    def get_amp_supported_dtype(self) -> list[torch.dtype]:
        """For ``torch.autocast``."""
        return [torch.float16, torch.bfloat16]

    def is_bf16_supported(self, including_emulation: bool = True) -> bool:
        """As the CPU has it."""
        return True

    def __getattr__(self, name: str) -> Any:
        if name in cuda_gaps.REFUSED:
            raise state.NotSimulated(cuda_gaps.sentence(name, cuda_gaps.REFUSED[name]))
        raise AttributeError(f"torch.simgpu has no {name}; docs/functions.md of simgpu lists what it has")


MODULE = DeviceModule()
