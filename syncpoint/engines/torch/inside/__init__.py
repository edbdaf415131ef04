"""The front end of the simulated GPU as the probe sees it: tensors are numbers of storages and layouts."""

import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Any, Optional

import numpy as np
import torch
from probe.inside_engine import Guarded, InsideEngine, NoGates
from probe.serialization import Device, EngineArray, Handle
from probe.trace import Gate, Trace
from simgpu.front.lines import noted
from simgpu.front.link import ENVIRONMENT, is_started, link
from simgpu.front.streams import Event
from simgpu.front.tensor import SimTensor
from simgpu.wire import STREAMS

import simgpu

# Modules that PyTorch would otherwise import again in every notebook, in more than a second each: at its first
# operations, and when it exports, saves or opens a program.
for name in (
    "torch._dynamo.repro.after_dynamo",
    "torch._export.passes.replace_autocast_with_hop_pass",
    "torch._inductor.ir",
    "torch.distributed.tensor.experimental",
    "torch.export._trace",
    "torch.export.pt2_archive._package",
    "torch.fx.experimental.symbolic_shapes",
):
    importlib.import_module(name)

_adopt, _call, _mark, _Tensor = simgpu.adopt, simgpu.call, simgpu.mark, torch.Tensor
_from_numpy, _array, _device = torch.from_numpy, np.array, torch.device
MOST_LINES = 5000  # in one request
CHECK = "syncpoint_check."  # the modules of the check in a notebook, which a cell calls
EVENT = "event"  # the layout of a handle that names a moment
# types that NumPy lacks, or that it does not use to compare
PLAIN = {torch.float16: torch.float32, torch.bfloat16: torch.float32}


@contextmanager
def _lines(connected: bool) -> Iterator[list[tuple[int, int]]]:
    """Yield the lines that enqueue operations in the block; without a device there are none."""
    if not connected:
        yield []
        return
    with noted(CHECK) as found:
        yield found


class Engine(InsideEngine):
    """Device n is ``simgpu:n-1``; 0 is the host, whose tensors are sent by value."""

    def __init__(self) -> None:
        self._alive: list[Any] = []
        self._lines: list[tuple[int, int]] = []
        self._connected = False  # without a device, everything is on the host and nothing is reported to a device

    def begin(self) -> None:
        """Free the last request's objects, which the judge could read until now.

        Memory that the notebook still has does not count for this request.
        """
        self._alive, self._lines = [], []
        if is_started():
            link().begin_request()

    def release(self, trace: Trace) -> None:
        """End the request: the notebook's own memory counts again."""
        super().release(trace)
        if is_started():
            link().end_request()

    def connect(self, front_end: int) -> None:
        """Use this device, and no other, from now on."""
        self._connected = True
        torch.set_num_threads(1)  # in a sandbox only: in their own notebooks, students use all threads
        os.environ[ENVIRONMENT] = str(front_end)
        link()

    def adopt(self, handle: Handle) -> Any:
        """Return a tensor for an array that the judge put on a device; with a gradient, it is a leaf."""
        tensor = _adopt(handle.storage, list(handle.layout), handle.device - 1)
        self._alive.append(tensor)
        if handle.gradient is not None:
            tensor.requires_grad_()
            tensor.grad = _adopt(handle.gradient.storage, list(handle.gradient.layout), handle.device - 1)
        return tensor

    def mark(self, kind: str, label: str) -> None:
        """Write a mark into the device's log.  Marks prove nothing, because student code could also send one."""
        _mark(f"{kind} {label}")

    def array(self, array: EngineArray, interface: str = "") -> Any:
        """Copy values to a tensor on the device of their number. Raises KeyError if an interface is named."""
        if interface:
            raise KeyError(interface)
        tensor = _from_numpy(_array(array.values)).to(self.device(Device(array.device)))
        if array.gradient is not None:
            tensor.requires_grad_()
            tensor.grad = _from_numpy(_array(array.gradient)).to(tensor.device)
        return tensor

    def device(self, device: Device) -> Any:
        """As ``torch.device``."""
        return _device("simgpu", device.number - 1) if device.number else _device("cpu")

    def is_array(self, value: Any) -> bool:
        """Whether ``value`` is a tensor, on the device or on the host."""
        return issubclass(type(value), _Tensor)

    def describe(self, value: Any, with_gradient: bool = True) -> Optional[Any]:
        """Return the handle of a tensor or event of the device; for a host tensor, its values."""
        try:
            return self._plain_form(value, with_gradient)
        except BaseException:  # a tensor may hold anything, even code that runs when it is read
            return None

    def _plain_form(self, value: Any, with_gradient: bool) -> Optional[Any]:
        kind = type(value)
        if issubclass(kind, SimTensor):
            self._alive.append(value._storage)
            gradient = value.grad if with_gradient and value.is_leaf else None
            nested = self._plain_form(gradient, False) if issubclass(type(gradient), SimTensor) else None
            return Handle(int(value._storage.number), _layout(value._spec), int(value._storage.device) + 1, nested)
        if kind is Event:
            return Handle(int(value.ticket), (EVENT,), int(value.stream) // STREAMS + 1)
        if kind is _device and value.type in ("cpu", "simgpu"):
            return Device(0 if value.type == "cpu" else (value.index or 0) + 1)
        if issubclass(kind, _Tensor) and value.device.type == "cpu":
            gradient = value.grad if with_gradient and value.is_leaf else None
            return EngineArray(_numbers(value), gradient=None if gradient is None else _numbers(gradient))
        return None

    def lines(self) -> list[tuple[int, int]]:
        return self._lines[:MOST_LINES]

    def wait_all(self) -> None:
        """The judge waits by itself."""

    @contextmanager
    def tracing(self, trace: Trace) -> Iterator[None]:
        """Report to the device where the call begins and ends: after its end, a thread's wait opens no gate."""
        with super().tracing(trace):
            # Code that has disconnected itself from its device gets the error at its next operation. Until then no call
            # has begun on the device, and no wait of a thread opens a gate.
            call = _call() if self._connected else nullcontext()
            lines: list[tuple[int, int]] = []
            with suppress(Exception):
                call.__enter__()
            try:
                # A notebook has started its device itself.
                with _lines(self._connected or is_started()) as lines:
                    yield
            finally:
                self._lines += lines
                with suppress(Exception):
                    call.__exit__(None, None, None)

    def close_gate(self, trace: Trace, array: Any, label: str, unrelated: bool = False) -> Gate:
        """Refuse: the judge closes gates.

        Raises:
            NoGates: Always.
        """
        raise NoGates("gates of this engine are set in the grader, not in a scenario")

    def guarded(self) -> Guarded:
        """Return the parts of PyTorch and of the front end that the integrity monitor watches."""
        return Guarded(
            modules=("torch", "simgpu", "simgpu.front.link", "simgpu.front.copies", "simgpu.front.streams"),
            classes={"simgpu.front.link": ("Link",), "simgpu.front.tensor": ("SimTensor", "Storage")},
            variables=("SIMGPU_", "OMP_"),
        )


def _layout(spec: Any) -> tuple[Any, ...]:
    dtype, size, stride, offset = spec.json()
    return str(dtype), [int(n) for n in size], [int(n) for n in stride], int(offset)


def _numbers(tensor: Any) -> np.ndarray:
    plain = tensor.detach().resolve_conj().resolve_neg()
    values: np.ndarray = plain.to(PLAIN.get(plain.dtype, plain.dtype)).numpy().copy()
    return values
