"""Make ``simgpu`` a PyTorch device, once per process. The device process starts at its first use."""

import ctypes
from typing import Any

import torch
import torch._meta_registrations  # meta kernels written in Python
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

from simgpu import system
from simgpu.compiler import wait_for_compiler
from simgpu.front import autocast, backward, copies, dispatch, factories, patches, special, state
from simgpu.front.module import MODULE, DeviceModule
from simgpu.limits import Limits

LOADED = (copies, dispatch, special)
_kept: list[Any] = []


_PRIVATE = torch._C._autograd.DeviceType.PrivateUse1  # type: ignore[attr-defined]
# ctypes raises an error that the C API has set; no other Python call may come first.
_raise_pending = ctypes.pythonapi.PyErr_Occurred
_raise_pending.restype = ctypes.c_void_p


class _Guard(torch._C._acc.DeviceGuard):  # type: ignore[name-defined,misc]
    """The hooks for entering and leaving a node of the backward pass, also while an exception unwinds it.

    An exception of Python that meets another call into Python there ends the process, so it is taken out of the way.
    """

    def type_(self) -> Any:
        try:
            _raise_pending()
        except BaseException as error:
            if torch._C._current_graph_task_id() == -1:
                raise
            backward.keep_for_the_end(error)
        return _PRIVATE


def install() -> DeviceModule:
    """Register the device; return what ``torch.get_device_module("simgpu")`` returns."""
    if not _kept:
        _setup_privateuseone_for_python_backend(state.NAME, backend_module=MODULE, device_guard=_Guard())
        state.set_up(Limits())
        _kept.extend(factories.register())
        _kept.extend(autocast.register())
        patches.apply()
        wait_for_compiler()
        system.after_fork(dispatch.was_forked)
    return MODULE
