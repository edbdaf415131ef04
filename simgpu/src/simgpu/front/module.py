"""``torch.get_device_module("simgpu")``: what ``torch.cuda`` is for CUDA."""

import os
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import torch

from simgpu.front import memory, rng, state, streams, waits
from simgpu.front.link import is_started, link


class DeviceContext:
    """As ``torch.cuda.device``."""

    def __init__(self, device: Any) -> None:
        self.index, self._entered = state.index_of(device), state.Entered()

    def __enter__(self) -> None:
        self._entered.enter(self.index, {})

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._entered.leave()


@dataclass(frozen=True)
class Properties:
    """As ``torch.cuda.get_device_properties`` gives them, those that are simulated.

    Attributes:
        name: Honest.
        total_memory: Bytes.
        major: Of a capability that CUDA does not have.
        minor: The same.
        multi_processor_count: Threads of one kernel.
    """

    name: str
    total_memory: int
    major: int
    minor: int
    multi_processor_count: int


class DeviceModule:
    """One object for the process; PyTorch calls some of its functions itself."""

    Stream, Event, stream, device = streams.Stream, streams.Event, streams.StreamContext, DeviceContext
    OutOfMemoryError = torch.OutOfMemoryError
    current_stream = staticmethod(streams.current_stream)
    default_stream = staticmethod(streams.default_stream)
    set_stream = staticmethod(streams.set_stream)
    set_sync_debug_mode = staticmethod(waits.set_sync_debug_mode)
    get_sync_debug_mode = staticmethod(waits.get_sync_debug_mode)
    manual_seed, manual_seed_all = staticmethod(rng.manual_seed), staticmethod(rng.manual_seed_all)
    seed_all = staticmethod(lambda: rng.manual_seed_all(int.from_bytes(os.urandom(7), "little")))
    seed = staticmethod(lambda: rng.manual_seed(int.from_bytes(os.urandom(7), "little")))
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
        """``torch.utils.checkpoint`` asks before it keeps the generators' states."""
        return is_started()

    def init(self) -> None:
        """Start the device process, if it has not been."""
        link()

    _lazy_init = init

    def _is_in_bad_fork(self) -> bool:
        return is_started() and link().forked

    def device_count(self) -> int:
        """How many devices there are."""
        return len(state.DEVICES)

    def current_device(self) -> int:
        """The thread's device."""
        return state.LOCAL.device

    def set_device(self, device: Any) -> None:
        """Make a device the thread's current one."""
        state.LOCAL.device = state.index_of(device)

    def get_device_name(self, device: Any = None) -> str:
        """Honest."""
        state.index_of(device)
        return "simulated GPU"

    def get_device_capability(self, device: Any = None) -> tuple[int, int]:
        """None that CUDA has."""
        return 0, 0

    def get_device_properties(self, device: Any = None) -> Properties:
        """What there is to say of a device."""
        capability = self.get_device_capability(device)
        return Properties(self.get_device_name(device), link().limits.memory, *capability, link().limits.threads)

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
        if name in ("CUDAGraph", "graph", "graphs", "make_graphed_callables", "MemPool", "cudart", "ipc_collect"):
            raise NotImplementedError(f"simgpu: {name} is not simulated")
        raise AttributeError(f"torch.simgpu has no {name}; see simgpu's README for what it has")


MODULE = DeviceModule()
