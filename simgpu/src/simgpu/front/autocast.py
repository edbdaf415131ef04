"""``torch.autocast("simgpu")``: the types in which operations run, as on CUDA (PyTorch's autocast_mode.h)."""

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import torch

from simgpu.front import state

LOWER = """_convolution.deprecated _convolution conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d.input
conv_transpose3d.input convolution prelu addmm addmv addr matmul einsum mm mv linalg_vecdot linear addbmm baddbmm bmm
chain_matmul linalg_multi_dot _thnn_fused_lstm_cell _thnn_fused_gru_cell lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell
_scaled_dot_product_flash_attention scaled_dot_product_attention
lstm.input lstm.data gru.input gru.data rnn_tanh.input rnn_tanh.data rnn_relu.input rnn_relu.data""".split()
"""Run in the type of ``torch.autocast``. Those of the last line are cuDNN's on CUDA, which casts them too."""
FULL = """acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan pow.Tensor_Scalar
pow.Tensor_Tensor pow.Scalar softplus layer_norm native_layer_norm rms_norm group_norm frobenius_norm.dim nuclear_norm
nuclear_norm.dim cosine_similarity poisson_nll_loss cosine_embedding_loss nll_loss nll_loss2d hinge_embedding_loss
kl_div l1_loss smooth_l1_loss huber_loss mse_loss margin_ranking_loss multilabel_margin_loss soft_margin_loss
triplet_margin_loss multi_margin_loss binary_cross_entropy_with_logits dist pdist cdist renorm logsumexp
upsample_nearest1d _upsample_nearest_exact1d upsample_nearest2d _upsample_nearest_exact2d upsample_nearest3d
_upsample_nearest_exact3d upsample_linear1d upsample_bilinear2d _upsample_bilinear2d_aa upsample_trilinear3d
upsample_bicubic2d _upsample_bicubic2d_aa""".split()
"""Run in float32."""
FULL_RESULT = """prod prod.dim_int softmax.int log_softmax.int cumprod cumsum linalg_vector_norm linalg_matrix_norm
linalg_matrix_norm.str_ord sum sum.dim_IntList""".split()
"""Have a ``dtype``, which is float32 if none is given."""
NORMS = {"norm.Scalar": "norm.ScalarOpt_dtype", "norm.ScalarOpt_dim": "norm.ScalarOpt_dim_dtype"}
"""Have another overload with a ``dtype``, which is float32."""
WIDEST = """addcdiv addcmul atan2 bilinear cross dot vdot grid_sampler index_put tensordot scatter_add""".split()
"""Run in float32 if an argument has it, else in the type of ``torch.autocast``."""
BANNED = """torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.
Many models use a sigmoid layer right before the binary cross entropy layer.
In this case, combine the two layers using torch.nn.functional.binary_cross_entropy_with_logits
or torch.nn.BCEWithLogitsLoss.  binary_cross_entropy_with_logits and BCEWithLogits are
safe to autocast."""
"""PyTorch's message for ``binary_cross_entropy``."""
COMPOSITE = torch._C.DispatchKey.CompositeImplicitAutograd
_KEY = torch._C.DispatchKey.AutocastPrivateUse1
_Types = Callable[..., torch.dtype]


def _overload(name: str) -> torch._ops.OpOverload:
    packet, _, overload = name.partition(".")
    return getattr(getattr(torch.ops.aten, packet), overload or "default")  # type: ignore[no-any-return]


def _is_eligible(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point() and value.device.type in state.OURS


def _cast(value: Any, dtype: torch.dtype) -> Any:
    if isinstance(value, torch.Tensor):
        return value.to(dtype) if _is_eligible(value) and value.dtype not in (dtype, torch.float64) else value
    if isinstance(value, list | tuple):
        return type(value)(_cast(v, dtype) for v in value)
    return value


@contextlib.contextmanager
def _without_autocast() -> Iterator[None]:
    before, state.LOCAL.autocast = state.LOCAL.autocast, False
    try:
        with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(_KEY)):
            yield
    finally:
        state.LOCAL.autocast = before


def noting(setter: Callable[..., None]) -> Callable[..., None]:
    """Wrap ``torch.set_autocast_enabled``, so that this package knows the mode where PyTorch hides it."""
    is_enabled = torch.is_autocast_enabled

    @functools.wraps(setter)
    def call(*args: Any, **kwargs: Any) -> None:
        setter(*args, **kwargs)
        state.LOCAL.autocast = is_enabled("simgpu")

    return call


def decompose(func: Any, *args: Any, **kwargs: Any) -> Any:
    """Run a composite operation's parts. PyTorch has switched autocast off for operations that come to the device."""
    if not state.LOCAL.autocast:
        return func._op_dk(COMPOSITE, *args, **kwargs)
    with torch._C._SetExcludeDispatchKeyGuard(_KEY, False):
        return func._op_dk(COMPOSITE, *args, **kwargs)


def _lower(*_: Any) -> torch.dtype:
    return torch.get_autocast_dtype("simgpu")


def _full(*_: Any) -> torch.dtype:
    return torch.float32


def _widest(*args: Any) -> torch.dtype:
    lower = widest = _lower()
    for value in args:
        for one in value if isinstance(value, list | tuple) else (value,):
            if not _is_eligible(one) or one.dtype == torch.float64:
                continue
            if one.dtype not in (lower, torch.float32):
                raise RuntimeError("Unexpected floating ScalarType in at::autocast::prioritize")
            widest = torch.float32 if torch.float32 in (widest, one.dtype) else lower
    return widest


def _run(func: Any, dtype_of: _Types, *args: Any, **kwargs: Any) -> Any:
    dtype = dtype_of(*args, *kwargs.values())
    with _without_autocast():
        return func(*_cast(args, dtype), **{k: _cast(v, dtype) for k, v in kwargs.items()})


def _run_with_full_result(func: Any, place: int, *args: Any, **kwargs: Any) -> Any:
    """Run an operation with a ``dtype``, which is at ``place`` if it is not given by name."""
    with _without_autocast():
        if _is_eligible(args[0]) and args[0].dtype != torch.float64:
            if len(args) <= place:
                kwargs = kwargs | {"dtype": kwargs.get("dtype") or torch.float32}
            elif args[place] is None:
                args = (*args[:place], torch.float32, *args[place + 1 :])
        return func(*args, **kwargs)


def _run_norm(func: Any, with_dtype: Any, tensor: torch.Tensor, p: Any = 2, *rest: Any) -> Any:
    with _without_autocast():
        if not _is_eligible(tensor) or tensor.dtype == torch.float64:
            return func(tensor, p, *rest)
        dim = rest and (rest[0], rest[1] if len(rest) > 1 else False)
        return with_dtype(tensor, p, *dim, dtype=torch.float32)


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise RuntimeError(BANNED)


def register() -> list[torch.library.Library]:
    """Register with PyTorch's dispatcher; the result must be kept alive."""
    library = torch.library.Library("aten", "IMPL")
    kernels: dict[str, Callable[..., Any]] = {"binary_cross_entropy": _refuse}
    for dtype_of, names in ((_lower, LOWER), (_full, FULL), (_widest, WIDEST)):
        kernels |= {name: functools.partial(_run, _overload(name), dtype_of) for name in names}
    for name in FULL_RESULT:
        func = _overload(name)
        place = [argument.name for argument in func._schema.arguments].index("dtype")
        kernels[name] = functools.partial(_run_with_full_result, func, place)
    for name, other in NORMS.items():
        kernels[name] = functools.partial(_run_norm, _overload(name), _overload(other))
    for name, kernel in kernels.items():
        library.impl(name, kernel, "AutocastPrivateUse1")
    others = torch.library.Library("_", "IMPL")
    others.fallback(torch.library.fallthrough_kernel, "AutocastPrivateUse1")
    return [library, others]
