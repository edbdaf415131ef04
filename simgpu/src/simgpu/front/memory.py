"""Memory as the device counts it, under ``torch.cuda``'s names. No function here waits for work."""

from typing import Any

from simgpu.front import cuda_gaps, state
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
    """Reset the peaks."""
    link().call("reset peak", device=state.index_of(device))


def reset_accumulated_memory_stats(device: Any = None) -> None:
    """Reset the sums of allocations and releases."""
    index = state.index_of(device)
    link().call("reset accumulated", device=index)
    link().refused[index] = -_usage(index)["out_of_memory"]  # the judge's count goes on


def empty_host_cache() -> None:
    """Do nothing: unused pinned blocks are freed when memory is needed."""


def empty_cache() -> None:
    """Release segments in which nothing is allocated."""
    link().say("empty cache")


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """Return free and total bytes of the device, as the driver sees it: reserved memory is not free."""
    size, older = link().limits.memory, link().older[state.index_of(device)]
    return min(max(size + older - memory_reserved(device), 0), size), size


def host_memory_allocated() -> int:
    """Bytes of pinned host memory."""
    return _usage(0)["pinned"]


def device_memory_used(device: Any = None) -> int:
    """Bytes of the device that are not free, as the driver sees it."""
    free, total = mem_get_info(device)
    return total - free


POOLS, METRICS = ("all", "small_pool", "large_pool"), ("current", "peak", "allocated", "freed")
_SAME = {"active": "allocation", "active_bytes": "allocated_bytes"}
"""Unlike on CUDA, freed blocks that wait for another stream do not count as active."""
_NEVER = ("inactive_split", "inactive_split_bytes", "oversize_allocations", "oversize_segments")


def memory_stats(device: Any = None) -> dict[str, int]:
    """Return all of PyTorch's statistics; those that this allocator lacks, such as parts of split blocks, are 0."""
    usage, counts = _usage(device), link().call("memory counts", device=state.index_of(device))
    stats = {f"{kind}.{pool}.{metric}": counts[kind][pool][metric]
             for kind in counts for pool in POOLS for metric in METRICS}  # fmt: skip
    for name, same in _SAME.items():
        stats |= {f"{name}.{pool}.{metric}": stats[f"{same}.{pool}.{metric}"] for pool in POOLS for metric in METRICS}
    for name in _NEVER:
        pools = POOLS if name.startswith("inactive") else (None,)
        stats |= {".".join(filter(None, (name, pool, metric))): 0 for pool in pools for metric in METRICS}
    refused = usage["out_of_memory"] + link().refused[state.index_of(device)]
    stats |= {"num_alloc_retries": usage["retries"], "num_ooms": refused, "max_split_size": -1}
    stats |= {"num_device_alloc": stats["segment.all.allocated"], "num_device_free": stats["segment.all.freed"]}
    return dict(sorted((stats | {"num_sync_all_streams": 0}).items()))


def memory_stats_as_nested_dict(device: Any = None) -> dict[str, Any]:
    """The same as dictionaries of dictionaries."""
    nested: dict[str, Any] = {}
    for name, value in memory_stats(device).items():
        *path, last = name.split(".")
        place = nested
        for part in path:
            place = place.setdefault(part, {})
        place[last] = value
    return nested


def memory_summary(device: Any = None, abbreviated: bool = False) -> str:
    """A table for people."""
    usage, index = _usage(device), state.index_of(device)
    rows = [("Allocated memory", "allocated", "peak_allocated"), ("Reserved memory", "reserved", "peak_reserved")]
    lines = [f"{state.DEVICES[index]} of {link().limits.memory / 2**20:.0f} MiB{'':16}Cur Usage      Peak Usage"]
    lines += [
        f"{title:<30}{usage[now] / 2**10:>12.0f} KiB{usage[peak] / 2**10:>12.0f} KiB" for title, now, peak in rows
    ]
    lines += [
        f"{'Allocations':<30}{usage['allocations']:>12}{usage['frees']:>12} freed",
        f"{'Segments':<30}{usage['segments']:>12}",
    ]
    title = [f"PyTorch CUDA memory summary, device ID {index}"] if state.NAME == "cuda" else []
    return "\n".join(title + lines)


def __getattr__(name: str) -> Any:
    if f"memory.{name}" in cuda_gaps.REFUSED:
        raise state.NotSimulated(cuda_gaps.sentence(f"memory.{name}", cuda_gaps.REFUSED[f"memory.{name}"]))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
