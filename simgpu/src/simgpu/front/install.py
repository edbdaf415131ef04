"""Make ``simgpu`` a device of PyTorch's, once for the process. The device process itself starts at its first use."""

from typing import Any

import torch
import torch._meta_registrations  # the meta kernels that are written in Python
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

from simgpu.front import autocast, copies, dispatch, factories, patches, special, state
from simgpu.front.module import MODULE, DeviceModule
from simgpu.limits import Limits

LOADED = (copies, dispatch, special)
_kept: list[Any] = []


class _Guard(torch._C._acc.DeviceGuard):  # type: ignore[name-defined,misc]
    def type_(self) -> Any:
        return torch._C._autograd.DeviceType.PrivateUse1


def install() -> DeviceModule:
    """Register the device; what ``torch.get_device_module("simgpu")`` gives."""
    if not _kept:
        _setup_privateuseone_for_python_backend(state.NAME, backend_module=MODULE, device_guard=_Guard())
        state.set_up(Limits())
        _kept.extend(factories.register())
        _kept.extend(autocast.register())
        patches.apply()
    return MODULE
