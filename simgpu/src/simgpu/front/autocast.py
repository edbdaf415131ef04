"""``torch.autocast("simgpu")``: which operations are cast down and which up, as on CUDA (PyTorch's autocast_mode.h)."""

import functools
from typing import Any

import torch

from simgpu.front import state

LOWER = """_convolution.deprecated _convolution conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d.input
conv_transpose3d.input convolution prelu addmm addmv addr matmul einsum mm mv linalg_vecdot linear addbmm baddbmm bmm
chain_matmul linalg_multi_dot _thnn_fused_lstm_cell _thnn_fused_gru_cell lstm_cell gru_cell rnn_tanh_cell rnn_relu_cell
_scaled_dot_product_flash_attention scaled_dot_product_attention
lstm.input lstm.data gru.input gru.data rnn_tanh.input rnn_tanh.data rnn_relu.input rnn_relu.data""".split()
"""Run in the type of ``torch.autocast``. Those of the last line are cuDNN's on CUDA, which casts them too."""
FULL = """exp log log10 log2 log1p rsqrt reciprocal acos asin cosh tan softplus cosine_similarity layer_norm
group_norm nll_loss
binary_cross_entropy_with_logits mse_loss l1_loss smooth_l1_loss huber_loss kl_div cosine_embedding_loss cdist dist
pdist renorm
softmax.int log_softmax.int sum sum.dim_IntList prod prod.dim_int cumsum cumprod norm.Scalar logsumexp
pow.Tensor_Scalar""".split()
_LOWER_KEY = torch._C.DispatchKey.AutocastPrivateUse1


def _cast(value: Any, dtype: torch.dtype) -> Any:
    if isinstance(value, torch.Tensor):
        eligible = value.is_floating_point() and value.device.type in state.OURS and value.dtype != torch.float64
        return value.to(dtype) if eligible and value.dtype != dtype else value
    if isinstance(value, list | tuple):
        return type(value)(_cast(v, dtype) for v in value)
    return value


def _run(func: Any, lower: bool, *args: Any, **kwargs: Any) -> Any:
    dtype = torch.get_autocast_dtype("simgpu") if lower else torch.float32
    with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(_LOWER_KEY)):
        return func(*_cast(args, dtype), **{k: _cast(v, dtype) for k, v in kwargs.items()})


def register() -> list[torch.library.Library]:
    """Register with PyTorch's dispatcher; the result must be kept alive."""
    library = torch.library.Library("aten", "IMPL")
    for lower, names in ((True, LOWER), (False, FULL)):
        for name in names:
            packet, _, overload = name.partition(".")
            func = getattr(getattr(torch.ops.aten, packet), overload or "default")
            library.impl(name, functools.partial(_run, func, lower), "AutocastPrivateUse1")
    others = torch.library.Library("_", "IMPL")
    others.fallback(torch.library.fallthrough_kernel, "AutocastPrivateUse1")
    return [library, others]
