"""Memory as the device counts it, with ``torch.cuda``'s names. A question waits for no work."""

from typing import Any

from simgpu.front import state
from simgpu.front.link import link


def _usage(device: Any) -> dict[str, int]:
    return dict(link().call("memory", device=state.index_of(device)))


def memory_allocated(device: Any = None) -> int:
    """Bytes that tensors have."""
    return _usage(device)["allocated"]


def max_memory_allocated(device: Any = None) -> int:
    """The most that tensors had, since the last ``reset_peak_memory_stats``."""
    return _usage(device)["peak_allocated"]


def memory_reserved(device: Any = None) -> int:
    """Bytes that the caching allocator keeps."""
    return _usage(device)["reserved"]


def max_memory_reserved(device: Any = None) -> int:
    """The peak of reserved memory."""
    return _usage(device)["peak_reserved"]


def reset_peak_memory_stats(device: Any = None) -> None:
    """Begin the peaks again."""
    link().call("reset peak", device=state.index_of(device))


def reset_accumulated_memory_stats(device: Any = None) -> None:
    """Refused: the device counts on.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError("simgpu: reset_accumulated_memory_stats is not simulated; take the difference")


def empty_host_cache() -> None:
    """Do nothing: unused pinned blocks are released when there is no room."""


def empty_cache() -> None:
    """Give back segments in which nothing is allocated."""
    link().say("empty cache")


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """Return free and total bytes of the device, as the driver sees it: reserved memory is not free."""
    size, older = link().limits.memory, link().older[state.index_of(device)]
    return min(max(size + older - memory_reserved(device), 0), size), size


def host_memory_allocated() -> int:
    """Bytes of pinned host memory."""
    return _usage(0)["pinned"]


def memory_stats(device: Any = None) -> dict[str, int]:
    """With PyTorch's names, those that are simulated."""
    usage = _usage(device)
    return {
        "allocated_bytes.all.current": usage["allocated"],
        "allocated_bytes.all.peak": usage["peak_allocated"],
        "reserved_bytes.all.current": usage["reserved"],
        "reserved_bytes.all.peak": usage["peak_reserved"],
        "allocation.all.allocated": usage["allocations"],
        "allocation.all.freed": usage["frees"],
        "segment.all.current": usage["segments"],
        "num_alloc_retries": usage["retries"],
        "num_ooms": usage["out_of_memory"],
    }


def memory_summary(device: Any = None, abbreviated: bool = False) -> str:
    """A table for people."""
    usage, index = _usage(device), state.index_of(device)
    rows = [("Allocated memory", "allocated", "peak_allocated"), ("Reserved memory", "reserved", "peak_reserved")]
    lines = [f"simgpu:{index} of {link().limits.memory / 2**20:.0f} MiB{'':16}Cur Usage      Peak Usage"]
    lines += [
        f"{title:<30}{usage[now] / 2**10:>12.0f} KiB{usage[peak] / 2**10:>12.0f} KiB" for title, now, peak in rows
    ]
    lines += [
        f"{'Allocations':<30}{usage['allocations']:>12}{usage['frees']:>12} freed",
        f"{'Segments':<30}{usage['segments']:>12}",
    ]
    return "\n".join(lines)
