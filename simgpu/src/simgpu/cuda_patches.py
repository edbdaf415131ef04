"""``simgpu.as_cuda()``: programs that say "cuda" run on the simulated device, on a machine without a GPU.

C++ has the tensors as ``simgpu``, and Python sees ``cuda``:

- **out**: ``device``, ``is_cuda`` and ``type()`` of a tensor are attributes in Python that say ``cuda``.
- **in**: C++ takes ``device="cuda"`` to the dispatcher's key ``CUDA``, where the factories of the device are also
  registered. Functions that request a device guard first (``Tensor.to``, ``torch.tensor``) get C++'s name.
- ``torch.cuda`` is a module in Python: its functions become those of the simulated device, or raise with a reason.

It changes the process for good, since tensors outlive every ``with`` and ``is_cuda`` belongs to the class.
"""

import functools
import itertools
import os
import re
import sys
import threading
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor

from simgpu.front import cuda_gaps, factories, install, lazy, link, patches, state
from simgpu.front.module import MODULE, DeviceModule
from simgpu.front.tensor import SimTensor


@dataclass(frozen=True)
class Card:
    """A graphics card, simulated with its memory size.

    Attributes:
        name: As the driver says it.
        memory: GiB, about what a program finds.
        processors: Streaming multiprocessors.
    """

    name: str
    memory: float
    processors: int


CARDS = {
    "T4": Card("Tesla T4", 14.74, 40),
    "V100": Card("Tesla V100", 15.77, 80),
    "L4": Card("L4", 22.03, 58),
    "RTX4090": Card("GeForce RTX 4090", 23.64, 128),
    "A100": Card("A100 40GB", 39.39, 108),
    "H100": Card("H100 80GB", 79.10, 132),
}
DTYPES = {"Float": "float32", "Half": "float16", "BFloat16": "bfloat16", "Double": "float64", "Long": "int64",
          "Int": "int32", "Short": "int16", "Char": "int8", "Byte": "uint8", "Bool": "bool"}  # fmt: skip
OF_MODULES = {"memory", "random", "streams", "nvtx"}
"""Names of ``torch.cuda`` that are modules and are not replaced."""
OF_PYTORCH = "_lazy_init", "_is_in_bad_fork", "_exchange_device", "_maybe_exchange_device", "_set_stream_by_id"
"""Private functions that PyTorch itself calls."""
DEVICE = re.compile(r"\s*(\d+|(GPU|MIG)-\S+)\s*$")
"""An entry of ``CUDA_VISIBLE_DEVICES`` that names a device."""
WORKING = {"amp", "nccl.is_available", "graphs.is_current_stream_capturing"}
"""Names of refused modules and of their functions that PyTorch has and that hold for the simulated device."""
TENSOR_TYPE: type = type(torch.FloatTensor)
"""The type of C++'s tensor types, such as those of ``torch.cuda.sparse``."""
_kept: list[torch.library.Library] = []


class _Rank(threading.local):
    """Whether a thread is a rank that ``torch.multiprocessing.spawn`` has started."""

    started = False


_RANK = _Rank()


def as_cuda(card: str | None = None) -> None:
    """Make "cuda" mean the simulated device in this process from now on. A second call changes nothing.

    If ``CUDA_VISIBLE_DEVICES`` names devices, there are as many, but not more than simulated ones. If it hides all,
    CUDA stays unavailable, and a sentence says so.

    Args:
        card: One of ``T4``, ``V100``, ``L4``, ``RTX4090``, ``A100``, ``H100``: each device has about as much memory,
            and a name that says that it is simulated.

    Raises:
        ValueError: the card is unknown.
        RuntimeError: this machine has a GPU, the device has already been used, or as_cuda was called with another card.
    """
    if card is not None and card not in CARDS:
        raise ValueError(f"simgpu: unknown card {card!r}. Choose one of {', '.join(CARDS)}.")
    if state.NAME == "cuda":
        if card is not None and (MODULE._card is None or MODULE._card[0] != _simulated(card)):
            raise RuntimeError(
                f"simgpu: this process has a {MODULE.get_device_name()}, which as_cuda({card!r}) cannot "
                "change. Restart Python."
            )
        return
    if torch.cuda.is_available():
        raise RuntimeError("simgpu: this machine has a GPU, which as_cuda() would hide. Run the program without it.")
    if link.is_started():
        raise RuntimeError("simgpu: the simulated device is already in use. Call as_cuda() before anything else.")
    install.install()
    visible = _visible()
    if visible == 0:
        _hide()
        return
    state.keep(visible)
    if card is not None:
        _be(card)
    state.NAME, state.PLACE, state.TYPE, state.IN_ERRORS = "cuda", "torch.cuda", 1, "CUDA"
    state.OURS.add("cuda")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a CUDA build has its own kernels for these
        _kept.append(factories.register_factories("CUDA"))
    state.DEVICES[:] = [torch.device("cuda", d) for d in range(len(state.DEVICES))]
    _tensors()
    _torch_cuda()
    _autocast()
    _accelerator_and_backends()
    _profiler()
    if torch.distributed.is_available():
        _ranks()
    print(f"simgpu: CUDA is simulated on this machine's processor ({MODULE.get_device_name()})", file=sys.stderr)


def _visible() -> int:
    """Return how many devices a program sees: as CUDA does, it reads the list up to the first entry that is none."""
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    if named is None:
        return len(state.DEVICES)
    entries = itertools.takewhile(DEVICE.match, named.split(","))
    return min(len(list(entries)), len(state.DEVICES))


def _hide() -> None:
    accelerator: Any = torch.accelerator
    accelerator.is_available, accelerator.device_count = lambda: False, lambda: 0
    accelerator.current_accelerator = lambda check_available=False: None
    print("simgpu: CUDA_VISIBLE_DEVICES hides all devices: the program runs as without a GPU", file=sys.stderr)


def _simulated(card: str) -> str:
    return f"simulated {CARDS[card].name}"


def _be(said: str) -> None:
    card, name = CARDS[said], _simulated(said)
    memory = int(card.memory * 2**30) >> 21 << 21
    link.OPTIONS[:] = ["--memory", str(memory)]
    MODULE._card = name, card.processors
    installed = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else memory
    if memory > installed:
        text = (
            f"a {name} has {card.memory} GiB of memory, but this machine only {installed / 2**30:.1f}: a program that "
            "fills the card will fail here"
        )
        warnings.warn(f"simgpu: {text}", stacklevel=3)


class _TensorType(type):
    """``torch.cuda.FloatTensor`` and the like."""

    dtype: torch.dtype

    def __call__(cls, *args: Any) -> torch.Tensor:
        if len(args) == 1 and not isinstance(args[0], int | torch.Size):
            return torch.tensor(args[0], dtype=cls.dtype, device="cuda")
        size = args[0] if args and isinstance(args[0], torch.Size) else args or (0,)
        return torch.empty(size, dtype=cls.dtype, device="cuda")

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, SimTensor) and instance.dtype == cls.dtype


TYPES = {
    f"torch.cuda.{kind}Tensor": _TensorType(
        f"{kind}Tensor", (), {"dtype": getattr(torch, name), "__module__": "torch.cuda"}
    )
    for kind, name in DTYPES.items()
}


def _tensor_type(said: Any) -> _TensorType | None:
    return said if isinstance(said, _TensorType) else TYPES.get(said) if isinstance(said, str) else None


def _tensors() -> None:
    ours: Any = SimTensor
    ours.device = property(lambda self: state.DEVICES[self._storage.device])
    ours.is_cuda = True
    everybodys: Any = torch.Tensor
    everybodys.type = _type(everybodys.type)
    everybodys.cuda = _cuda(everybodys.to)
    lazy.UninitializedTensorMixin.cuda = lazy.on_device  # type: ignore[attr-defined]
    for name in ("asarray",):  # it requests a device guard itself
        setattr(torch, name, patches.naming(getattr(torch, name)))
    _fake_tensors()
    torch.device = _device(torch.device)  # type: ignore[misc]
    torch.set_default_tensor_type = _default_type(torch.set_default_tensor_type)
    for name, made in TYPES.items():
        setattr(torch.cuda, name.rpartition(".")[2], made)


def _fake_tensors() -> None:
    """Change tensors without values (``torch.export``): Python sees ``cuda``, and C++ keeps its own name."""
    fake: Any = FakeTensor
    device = fake.device.fget
    fake.__new__ = staticmethod(patches.naming(fake.__new__))
    fake.device = property(lambda self: state.named(device(self)))
    fake.is_cuda = property(lambda self: self.device.type == "cuda")


def _type(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def call(self: torch.Tensor, dtype: Any = None, non_blocking: bool = False, **kwargs: Any) -> Any:
        if dtype is None and isinstance(self, SimTensor):
            found = [name for name, made in TYPES.items() if made.dtype == self.dtype]
            return found[0] if found else f"torch.cuda.{self.dtype}"
        made = _tensor_type(dtype)
        if made is not None:
            return self.to("cuda", made.dtype, non_blocking=non_blocking)
        return original(self, dtype, non_blocking, **kwargs)

    return call


def _cuda(to: Callable[..., Any]) -> Callable[..., Any]:
    def cuda(
        self: torch.Tensor, device: Any = None, non_blocking: bool = False, memory_format: Any = torch.preserve_format
    ) -> torch.Tensor:
        """As ``torch.Tensor.cuda``."""
        place = state.IN_CPP[state.index_of(device)]
        return to(self, place, non_blocking=non_blocking, memory_format=memory_format)  # type: ignore[no-any-return]

    return cuda


def _device(original: type[torch.device]) -> Any:
    """``torch.device(0)`` is ``cuda:0``: C++ would use its own name of the device."""

    class Meta(type):
        def __instancecheck__(cls, instance: Any) -> bool:
            return isinstance(instance, original)

        def __call__(cls, *args: Any, **kwargs: Any) -> torch.device:
            made = original(*args, **kwargs)
            return original("cuda", made.index) if made.type == "simgpu" and "simgpu" not in str(args) else made

        # PyTorch looks up a device's type in sets that are older than this class
        def __eq__(cls, other: object) -> bool:
            return other is cls or other is original

        def __hash__(cls) -> int:
            return hash(original)

    return Meta("device", (), {"__doc__": original.__doc__, "__module__": "torch"})


def _default_type(original: Callable[[Any], None]) -> Callable[[Any], None]:
    @functools.wraps(original)
    def call(said: Any) -> None:
        made = _tensor_type(said)
        torch.set_default_device(None if made is None else "cuda")
        if made is None:
            original(said)
        else:
            torch.set_default_dtype(made.dtype)

    return call


def _torch_cuda() -> None:
    cuda: Any = torch.cuda
    for name in dir(DeviceModule):
        if name not in OF_MODULES and not name.startswith("_"):
            setattr(cuda, name, getattr(MODULE, name))
    for name in OF_PYTORCH:
        setattr(cuda, name, getattr(MODULE, name))
    cuda._initialized = True  # torch.utils.checkpoint checks this before it stores the generators' states
    for name, reason in cuda_gaps.REFUSED.items():
        *path, last = name.split(".")
        place = functools.reduce(getattr, path, cuda)
        was = getattr(place, last, None)
        if _is_refused(was):
            setattr(place, last, _refusing(name, was, reason))
    for name, reason in cuda_gaps.REFUSED.items():
        was = getattr(cuda, name, None)
        if isinstance(was, types.ModuleType) and name not in WORKING:
            _refuse_all_of(was, name, reason)
    cuda.graphs.is_current_stream_capturing = cuda.is_current_stream_capturing
    cuda.nccl.is_available = lambda tensors: False  # a CUDA build has it, but all of its functions are refused
    for place in (cuda.memory, cuda.random, cuda.streams):
        for name, value in list(vars(place).items()):
            if not name.startswith("_") and callable(value) and hasattr(cuda, name):
                setattr(place, name, getattr(cuda, name))
    for name in ("range_push", "range_pop", "range_start", "range_end", "mark", "range"):
        setattr(cuda.nvtx, name, getattr(MODULE.nvtx, name))


def _is_refused(was: Any) -> bool:
    """Whether a value is refused; exceptions stay, because programs catch them, and so do tensor types."""
    kind = isinstance(was, type) and not issubclass(was, BaseException) and not isinstance(was, _TensorType)
    return kind or isinstance(was, types.FunctionType | types.BuiltinFunctionType | TENSOR_TYPE)


def _refuse_all_of(module: types.ModuleType, called: str, reason: str) -> None:
    """Refuse what a program calls of a module; the module itself stays, because PyTorch and programs import it."""
    for name, was in list(vars(module).items()):
        own = _is_refused(was) and was.__module__ == module.__name__
        if cuda_gaps.REFUSED.get(name) == reason and hasattr(torch.cuda, name):
            setattr(module, name, getattr(torch.cuda, name))
        elif own and f"{called}.{name}" not in WORKING and (name.startswith("_create") or not name.startswith("_")):
            setattr(module, name, _refusing(f"{called}.{name}", was, reason))


def _refusing(name: str, was: Any, reason: str) -> Any:
    """Return a replacement that raises when called; a class stays a class, and dynamo finds what it needs."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise state.NotSimulated(cuda_gaps.sentence(f"torch.cuda.{name}", reason))

    if isinstance(was, type | TENSOR_TYPE):
        return type(name.rpartition(".")[2], (), {"__new__": refuse, "__module__": "torch.cuda"})
    refuse.__wrapped__ = getattr(was, "__wrapped__", was)  # type: ignore[attr-defined]
    return refuse


def _autocast() -> None:
    """Redirect autocast: C++ has its state under its own device name, and a call without a name means CUDA."""

    def renamed(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            args, kwargs = args or (() if kwargs else ("cuda",)), kwargs
            said = tuple("simgpu" if a == "cuda" else a for a in args)
            if said and isinstance(said[0], bool):  # set_autocast_enabled(True)
                said = ("simgpu", *said)
            return function(*said, **{k: "simgpu" if v == "cuda" else v for k, v in kwargs.items()})

        return call

    for name in ("is_autocast_enabled", "set_autocast_enabled", "get_autocast_dtype", "set_autocast_dtype"):
        setattr(torch, name, renamed(getattr(torch, name)))
    torch.get_autocast_gpu_dtype = lambda: torch.get_autocast_dtype("cuda")
    torch.set_autocast_gpu_dtype = lambda dtype: torch.set_autocast_dtype("cuda", dtype)


def _accelerator_and_backends() -> None:
    accelerator, cudnn = torch.accelerator, torch.backends.cudnn
    accelerator.is_available = lambda: True
    accelerator.current_accelerator = lambda check_available=False: torch.device("cuda")
    cudnn.is_acceptable = lambda tensor: False  # otherwise a CUDA build requests cuDNN's weights of nn.LSTM
    cudnn.is_available, cudnn.version = lambda: False, lambda: None


def _profiler() -> None:
    """Keep the profiler from asking CUDA for times of every operation: C++ prints a trace for each refusal."""
    profile: Any = torch.autograd.profiler.profile
    original = profile.__init__

    @functools.wraps(original)
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        if kwargs.get("use_cuda") or kwargs.get("use_device") == "cuda":
            kwargs.pop("use_cuda", None)  # PyTorch 2.14 no longer takes it
            kwargs |= {"use_device": None, "use_cpu": True}
        original(self, *args, **kwargs)

    profile.__init__ = init


def _ranks() -> None:
    """Make ranks threads: ``spawn`` starts them, and ``init_process_group`` is already done in each."""
    dist: Any = torch.distributed
    begin, end = dist.init_process_group, dist.destroy_process_group

    @functools.wraps(begin)
    def init_process_group(backend: Any = None, *args: Any, **kwargs: Any) -> None:
        if backend is not None and "nccl" not in str(backend):
            begin(backend, *args, **kwargs)
        elif not _RANK.started:
            from simgpu import distributed

            distributed.install()
            kwargs.pop("device_id", None)
            begin(distributed.BACKEND, *args, **kwargs)

    @functools.wraps(end)
    def destroy_process_group(group: Any = None) -> None:
        if group is not None or not _RANK.started:
            end(group)

    for place in (dist, dist.distributed_c10d):
        place.init_process_group, place.destroy_process_group = init_process_group, destroy_process_group
        place.is_nccl_available = lambda: True
    torch.multiprocessing.spawn = sys.modules["torch.multiprocessing.spawn"].spawn = spawn  # type: ignore[attr-defined]


def spawn(
    fn: Callable[..., Any], args: tuple[Any, ...] = (), nprocs: int = 1, join: bool = True, *_: Any, **__: Any
) -> None:
    """As ``torch.multiprocessing.spawn``, with threads of this process.

    Raises:
        NotImplementedError: it is not to be waited for.
    """
    from simgpu import distributed

    if not join:
        raise NotImplementedError("simgpu: torch.multiprocessing.spawn(join=False) is not simulated. Use join=True.")

    def work(rank: int) -> None:
        MODULE.set_device(0)  # as in a new process: the program itself chooses its device
        _RANK.started = True
        try:
            fn(rank, *args)
        finally:
            _RANK.started = False

    distributed.ranks(work, nprocs)
