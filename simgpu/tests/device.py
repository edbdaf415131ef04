"""What the tests share: the device, its judge, and ways to look at the log."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

RECORD = os.environ.get("SIMGPU_RECORD")
if RECORD:  # note what the tests need, for the allow list
    os.environ["SIMGPU_DEVICE_OPTIONS"] = f"--record-operations {RECORD}"

from simgpu.front import plans
from simgpu.records import Entry

import simgpu
from simgpu import operations

if RECORD:
    plans.ALLOWED = operations.Allowed(Path(RECORD))
gpu = simgpu.install()
judge = simgpu.control()
DEVICE = "simgpu"


def wait_everywhere() -> None:
    """The host waits for every device."""
    for device in range(gpu.device_count()):
        gpu.synchronize(device)


def on(device: int, *shape: int, value: float | None = None) -> torch.Tensor:
    """A tensor that is there, with all that made it."""
    tensor = (torch.randn(*shape) if value is None else torch.full(shape, value)).to(f"simgpu:{device}")
    wait_everywhere()
    return tensor


def ready(*shape: int, value: float | None = None) -> torch.Tensor:
    """The same on the first device."""
    return on(0, *shape, value=value)


def logged(function: Callable[[], Any], until_waited_for: bool = True) -> list[Entry]:
    """The log of a call during which everything stays pending until it is waited for."""
    wait_everywhere()
    if until_waited_for:
        judge.hold_until_waited_for()
    else:
        judge.hold()
    start = judge.state().log
    try:
        function()
        return judge.log(start)
    finally:
        judge.release()


def waits(function: Callable[[], Any]) -> list[str]:
    """What the host waited for in a call."""
    return [e.name for e in logged(function) if e.is_wait]


def number(tensor: torch.Tensor) -> int:
    """A tensor's storage."""
    return simgpu.handle(tensor)[0]


def value(tensor: torch.Tensor) -> Any:
    """What the judge sees of a tensor now; None if it has not been computed."""
    return judge.values(*simgpu.handle(tensor))
