"""Changes to the parts of PyTorch that a backend in Python cannot reach by registering.

Those of `as_cuda` are in `cuda_patches.py`.  tests/contract holds all of them against the PyTorch that is installed.
"""

import functools
import warnings
from collections.abc import Callable
from typing import Any

import torch
import torch.jit._builtins
import torch.utils._device
from torch._C._dynamo import eval_frame

from simgpu.front import autocast, data_parallel, gradients, lazy, rng, state, streams, tensor, tensor_data, unsupported
from simgpu.front.backward import guarded, in_this_thread
from simgpu.front.module import MODULE
from simgpu.front.tensor import SimTensor
from simgpu.wire import DTYPES

FACTORIES = """empty empty_strided zeros ones full tensor eye arange range linspace logspace
rand randn randint randperm normal"""
HOSTS_OWN = """__getitem__ __iter__ __reduce__ __setitem__ _write_file byteswap clone copy_ cpu fill_ pin_memory resize_
share_memory_ to tolist __repr__ __str__"""


def apply() -> None:
    """Change PyTorch, once."""
    _backward()
    _default_device({torch.tensor, torch.as_tensor, torch.asarray})  # the originals
    _pinned_factories()
    _current_device()
    _lengths_of_sequences()
    _accelerator()
    _loading()
    _streams()
    _refusals()
    _uncompiled()
    torch.set_autocast_enabled = autocast.noting(torch.set_autocast_enabled)
    tensor_data.apply()
    gradients.apply()
    lazy.apply()
    unsupported.apply()
    if not torch.cuda.is_available():
        data_parallel.apply()


def _backward() -> None:
    wrapped = in_this_thread(torch.autograd.graph._engine_run_backward)
    torch.autograd._engine_run_backward = torch.autograd.graph._engine_run_backward = wrapped  # type: ignore[attr-defined]
    for name in ("register_hook", "register_post_accumulate_grad_hook"):
        setattr(torch.Tensor, name, _with_guarded_hook(getattr(torch.Tensor, name)))


def _with_guarded_hook(register: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(register)
    def call(self: torch.Tensor, hook: Callable[..., Any]) -> Any:
        return register(self, guarded(hook) if self.device.type in state.OURS else hook)

    return call


def _current_device() -> None:
    """Add the index to a plain "simgpu": C++ always takes device 0 for the current one."""
    torch.Tensor.to = naming(torch.Tensor.to)  # type: ignore[method-assign]
    torch.Tensor.new_tensor = naming(torch.Tensor.new_tensor)  # type: ignore[method-assign]
    new: Any = SimTensor
    new.new = naming(torch.Tensor.new)
    for name in ("tensor", "as_tensor"):
        wrapped = naming(_of_numbers(getattr(torch, name)))
        # so that torch.jit.script treats it as the original
        torch.jit._builtins._register_builtin(wrapped, f"aten::{name}")
        setattr(torch, name, wrapped)


def _default_device(factories: set[Callable[..., Any]]) -> None:
    """Name the default device as C++ does, for factories that request a device guard: there is none for "cuda"."""
    context: Any = torch.utils._device.DeviceContext
    original = context.__torch_function__

    @functools.wraps(original)
    def call(self: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if self.device.type in state.OURS and func in factories and (kwargs or {}).get("device") is None:
            kwargs = {**(kwargs or {}), "device": _current(self.device)}
        return original(self, func, types, args, kwargs)

    context.__torch_function__ = call


def _pinned_factories() -> None:
    """Create the tensor, then pin it: C++ requires a host allocator, which a Python backend cannot have.

    Functions without ``pin_memory`` (``as_tensor``, ``from_numpy``) stay unchanged.
    """
    torch.utils._device._device_constructors()  # caches the originals
    like = [f"{name}_like" for name in ("empty", "zeros", "ones", "full", "rand", "randn", "randint")]
    for name in (*FACTORIES.split(), *like):
        wrapped = _pinning(getattr(torch, name))
        torch.jit._builtins._register_builtin(wrapped, f"aten::{name}")
        setattr(torch, name, wrapped)
    for name in ("new_empty", "new_empty_strided", "new_zeros", "new_ones", "new_full"):
        setattr(torch.Tensor, name, _pinning(getattr(torch.Tensor, name)))


def _lengths_of_sequences() -> None:
    """Move lengths for ``ctc_loss`` to the host, also needed on CUDA: C++ does not do it for subclasses."""
    original = torch.ctc_loss

    @functools.wraps(original)
    def ctc_loss(
        log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any, *args: Any, **kwargs: Any
    ) -> Any:
        lengths = input_lengths, target_lengths
        if log_probs.device.type in state.OURS:
            lengths = tuple(n.tolist() if isinstance(n, torch.Tensor) else n for n in lengths)
        return original(log_probs, targets, *lengths, *args, **kwargs)

    torch.jit._builtins._register_builtin(ctc_loss, "aten::ctc_loss")
    torch.ctc_loss = ctc_loss


def _pinning(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not kwargs.get("pin_memory"):
            if not isinstance(kwargs.get("generator"), rng.Generator):
                return function(*args, **kwargs)
            made = function(*args, **kwargs)
            if made.device.type not in state.OURS:
                raise RuntimeError(f"Expected a 'cpu' device type for generator but found '{state.NAME}'")
            return made
        del kwargs["pin_memory"]
        made = function(*args, **kwargs)
        if made.device.type != "cpu":
            raise RuntimeError("Only dense CPU tensors can be pinned")
        return made.detach().pin_memory().requires_grad_(made.requires_grad)

    return call


def naming(function: Callable[..., Any]) -> Callable[..., Any]:
    """Use C++'s own name of the device, with its index, if a program names it."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if state.LOCAL.device or state.NAME != "simgpu":
            args = tuple(_current(a) for a in args)
            kwargs = {k: _current(v) for k, v in kwargs.items()}
        return function(*args, **kwargs)

    return call


def _of_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Accept device numbers in lists, as ``torch.tensor([x[0], x[1]])`` does: a wait for each, as on CUDA."""

    @functools.wraps(function)
    def call(data: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return function(data, *args, **kwargs)
        except NotImplementedError:
            return function(_read(data), *args, **kwargs)

    return call


def _read(data: Any) -> Any:
    if isinstance(data, list | tuple):
        return [_read(part) for part in data]
    return data.item() if isinstance(data, torch.Tensor) and data.device.type in state.OURS else data


def _current(value: Any) -> Any:
    if isinstance(value, str) and value.partition(":")[0] in state.OURS:
        value = torch.device(value)
    if isinstance(value, torch.device) and value.type in state.OURS:
        return state.IN_CPP[state.index_of(value)]
    return value


def _accelerator() -> None:
    accelerator: Any = torch.accelerator
    accelerator.synchronize, accelerator.current_stream = map(_of_ours, (MODULE.synchronize, MODULE.current_stream))
    accelerator.set_stream = MODULE.set_stream
    accelerator.set_device_index = accelerator.set_device_idx = _of_ours(MODULE.set_device)
    accelerator.current_device_index = accelerator.current_device_idx = MODULE.current_device
    accelerator.device_count = MODULE.device_count
    accelerator.device_index = type("device_index", (MODULE.device,), {"__init__": _index_or_no_change})
    accelerator.get_device_capability = _of_ours(_capability)
    same = """memory_allocated max_memory_allocated memory_reserved max_memory_reserved memory_stats
    reset_peak_memory_stats reset_accumulated_memory_stats""".split()
    for place in (accelerator, accelerator.memory):  # C++ requires an allocator, which a backend in Python cannot have
        for name in same:
            setattr(place, name, _of_ours(getattr(MODULE, name)))
        place.get_memory_info = _of_ours(MODULE.mem_get_info)
        place.empty_cache, place.empty_host_cache = MODULE.empty_cache, MODULE.empty_host_cache
    accelerator.Graph = unsupported.refused("torch.accelerator.Graph is not simulated; run the operations one by one")


@functools.cache
def _capability(device: Any = None) -> dict[str, set[torch.dtype]]:
    """Return types that the host's kernels can convert, because they compute on the device."""

    def is_converted(dtype: torch.dtype) -> bool:
        try:
            torch.zeros(1, dtype=dtype, device="cpu").float().to(dtype)
        except (RuntimeError, TypeError):
            return False
        return True

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {"supported_dtypes": {dtype for dtype in DTYPES.values() if is_converted(dtype)}}


def _index_or_no_change(context: Any, device: int | None) -> None:
    MODULE.device.__init__(context, -1 if device is None else device)


def _of_ours(function: Callable[..., Any]) -> Callable[..., Any]:
    """Accept only this accelerator, with PyTorch's error for other devices."""

    @functools.wraps(function)
    def call(device: Any = None, *args: Any, **kwargs: Any) -> Any:
        if device is not None and not isinstance(device, int) and torch.device(device).type not in state.OURS:
            raise ValueError(f"{torch.device(device).type} doesn't match the current accelerator {state.NAME}.")
        return function(device, *args, **kwargs)

    return call


def _loading() -> None:
    """Change ``torch.load``, which would copy a storage into the empty one of this device.

    It stays on the host until its tensors are made.
    """
    torch.serialization.register_package(9, lambda storage: None, _restored)
    torch.serialization._legacy_save = _without_device_tensors(torch.serialization._legacy_save)  # type: ignore[attr-defined]
    rebuild = torch._utils._rebuild_tensor

    @functools.wraps(rebuild)
    def rebuilt(storage: Any, *layout: Any) -> torch.Tensor:
        tensor = rebuild(storage, *layout)
        target = getattr(storage._untyped_storage, "simgpu_device", None)
        return tensor if target is None else tensor.to(target)

    torch._utils._rebuild_tensor = rebuilt
    where = torch._utils._get_restore_location

    @functools.wraps(where)
    def restored_to(device: str) -> Any:
        """Call a ``map_location`` function, which PyTorch refuses here, with an empty storage."""
        asked = torch.serialization._serialization_tls.map_location
        if not callable(asked):
            return where(device)
        told = asked(torch.UntypedStorage(0), device)
        return device if told is None else told.device

    torch._utils._get_restore_location = restored_to


def _without_device_tensors(save: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse device tensors in the old format: its numbers come last, after ``torch.load`` has made the tensors."""

    @functools.wraps(save)
    def call(*args: Any, **kwargs: Any) -> Any:
        before, tensor.SAVING.old_format = tensor.SAVING.old_format, True
        try:
            return save(*args, **kwargs)
        finally:
            tensor.SAVING.old_format = before

    return call


def _restored(storage: Any, location: str) -> Any:
    if location.partition(":")[0] in state.OURS:
        storage.simgpu_device = state.named(torch.device(location))
        return storage
    return None


def _streams() -> None:
    """Return simgpu's classes for ``torch.Stream`` and ``torch.Event``, which do nothing for Python backends."""
    torch.Stream = _standing_in_for(torch.Stream, streams.Stream)  # type: ignore[misc]
    torch.Event = _standing_in_for(torch.Event, streams.Event)  # type: ignore[misc]


def _uncompiled() -> None:
    """Keep ``torch.compile`` from compiling simgpu's code instead of its operations, which no graph contains."""
    leave = eval_frame._FrameExecStrategy(eval_frame._FrameAction.SKIP, eval_frame._FrameAction.SKIP)
    eval_frame.set_code_exec_strategy(SimTensor.__torch_dispatch__.__func__.__code__, leave)  # type: ignore[attr-defined]


def _refusals() -> None:
    """Refuse calls that would fail with unclear messages, or crash the process."""
    torch.Generator = _generators(torch.Generator)  # type: ignore[misc]
    for name in HOSTS_OWN.split():  # C++ would read memory that this process does not have
        setattr(torch.UntypedStorage, name, _of_the_host(getattr(torch.UntypedStorage, name)))
    for name in ("nbytes", "size", "__len__", "data_ptr"):
        setattr(torch.UntypedStorage, name, _of_the_device(name, getattr(torch.UntypedStorage, name)))
    torch.UntypedStorage.__new__ = staticmethod(_new_of_the_host)  # type: ignore[assignment]
    for place in (torch, torch.utils.dlpack):
        place.to_dlpack = _not_shared(torch._C._to_dlpack)  # type: ignore[attr-defined]


def _of_the_host(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(storage: torch.UntypedStorage, *args: Any, **kwargs: Any) -> Any:
        if storage.device.type in state.OURS:
            raise _no_bytes()
        return function(storage, *args, **kwargs)

    return call


def _of_the_device(name: str, function: Callable[..., int]) -> Callable[..., int]:
    """Report the device's storage: C++ only knows an empty storage of endless size."""

    @functools.wraps(function)
    def call(storage: torch.UntypedStorage) -> int:
        ours = getattr(storage, "simgpu_storage", None)
        if ours is None:
            return function(storage)
        return ours.address() if name == "data_ptr" else int(ours.nbytes)

    return call


def _not_shared(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(tensor: torch.Tensor) -> Any:
        return tensor.__dlpack__() if tensor.device.type in state.OURS else function(tensor)

    return call


def _new_of_the_host(cls: type[torch.UntypedStorage], *args: Any, **kwargs: Any) -> Any:
    device = kwargs.get("device")
    if device is not None and torch.device(device).type in state.OURS:
        raise _no_bytes()
    return torch._C.StorageBase.__new__(cls, *args, **kwargs)


def _no_bytes() -> NotImplementedError:
    return NotImplementedError("simgpu: the bytes of a storage are in the device's process; use the tensor")


def _generators(generator: Any) -> Any:
    class Meta(type):
        def __instancecheck__(cls, instance: Any) -> bool:
            return isinstance(instance, generator)

        def __call__(cls, device: Any = "cpu") -> Any:
            return rng.Generator(device) if torch.device(device).type in state.OURS else generator(device)

    return Meta("Generator", (), {"__doc__": generator.__doc__, "__module__": "torch"})


def _standing_in_for(original: Any, ours: Any) -> Any:
    class Meta(type):
        def __instancecheck__(cls, instance: Any) -> bool:
            return isinstance(instance, (original, ours))

        def __call__(cls, device: Any = None, *args: Any, **kwargs: Any) -> Any:
            if isinstance(device, int) or device is None or torch.device(device).type in state.OURS:
                if ours is streams.Event:
                    return ours(*args, **kwargs)
                return ours(device, *args, **kwargs)
            return original(device, *args, **kwargs)

    return Meta(original.__name__, (), {"__doc__": original.__doc__, "__module__": "torch"})
