"""The limits of a device: every bound in one place."""

import os
from dataclasses import dataclass


def _memory() -> int:
    try:
        half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (ValueError, OSError, AttributeError):
        half = 2 << 30
    return min(2 << 30, half) >> 21 << 21


@dataclass(frozen=True)
class Limits:
    """Sizes of one device process.

    Attributes:
        devices: Logical devices, ``simgpu:0`` and on.
        memory: Bytes of each; a program that needs more gets ``torch.OutOfMemoryError``.
        queue: Launches that may be pending before the host waits; about 1,024 on CUDA.
        plans: Operations with their constants that the device remembers.
        plan_bytes: Bytes of all plans, as they were sent.
        log: Entries of the log; at the limit the session ends.
        storages: Pieces of memory that may exist at a time.
        pending: Commands that a front end which breaks the rules may queue before nothing more is read from it.
        pinned: Bytes of page-locked host memory.
        threads: Threads of one kernel.
    """

    devices: int = 4
    memory: int = _memory()
    queue: int = 1024
    plans: int = 20_000
    plan_bytes: int = 64 << 20
    log: int = 1_000_000
    storages: int = 500_000
    pending: int = 32_768
    pinned: int = 1 << 30
    threads: int = 1
