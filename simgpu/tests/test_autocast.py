"""``torch.autocast``: in which type each operation runs, as in the lists of PyTorch's autocast_mode.h for CUDA."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
import torch
import torch.nn.functional as F
from device import DEVICE, ready
from torch import nn

LOWER = {
    "mm": lambda x: x @ x,
    "mv": lambda x: torch.mv(x, x[0]),
    "einsum": lambda x: torch.einsum("ij,jk", x, x),
    "linalg.vecdot": lambda x: torch.linalg.vecdot(x, x),
    "linear": lambda x: F.linear(x, x),
    "conv1d": lambda x: F.conv1d(x[None], x[:, :, None]),
    "conv_transpose1d": lambda x: F.conv_transpose1d(x[None], x[:, :, None]),
    "prelu": lambda x: F.prelu(x, x[0]),
    "scaled_dot_product_attention": lambda x: F.scaled_dot_product_attention(x, x, x),
    **{
        cell.__name__: lambda x, cell=cell: cell(4, 4, device=DEVICE)(x)
        for cell in (nn.LSTMCell, nn.GRUCell, nn.RNNCell, nn.LSTM, nn.GRU, nn.RNN)
    },
    "RNNCell, relu": lambda x: nn.RNNCell(4, 4, nonlinearity="relu", device=DEVICE)(x),
    "RNN, relu": lambda x: nn.RNN(4, 4, nonlinearity="relu", device=DEVICE)(x),
    "LSTM, given a state": lambda x: nn.LSTM(4, 4, device=DEVICE)(x, (x[:1], x[:1])),
    "LSTM, packed": lambda x: nn.LSTM(4, 4, device=DEVICE)(
        nn.utils.rnn.pack_padded_sequence(x[:, None], torch.tensor([3]))
    ),
}
FULL = {
    **{
        name: lambda x, name=name: getattr(x, name)()
        for name in "acos asin cosh erfinv exp expm1 log log10 log2 log1p reciprocal rsqrt sinh tan".split()
    },
    "x ** 2": lambda x: x**2,
    "2 ** x": lambda x: 2**x,
    "x ** x": lambda x: x**x,
    "softplus": F.softplus,
    "layer_norm": lambda x: F.layer_norm(x, (4,)),
    "rms_norm": lambda x: F.rms_norm(x, (4,)),
    "group_norm": lambda x: F.group_norm(x, 2),
    "norm": lambda x: x.norm(),
    "norm, a dim": lambda x: x.norm(dim=0),
    "aten.norm.Scalar": lambda x: torch.ops.aten.norm.Scalar(x),
    "aten.norm.ScalarOpt_dim": lambda x: torch.ops.aten.norm.ScalarOpt_dim(x, 2, [0]),
    "frobenius_norm": lambda x: torch.frobenius_norm(x, [0, 1]),
    "nuclear_norm": torch.nuclear_norm,
    "linalg.vector_norm": torch.linalg.vector_norm,
    "linalg.matrix_norm": torch.linalg.matrix_norm,
    "cosine_similarity": lambda x: F.cosine_similarity(x, x),
    "dist": lambda x: torch.dist(x, x),
    "cdist": lambda x: torch.cdist(x, x),
    "pdist": F.pdist,
    "renorm": lambda x: torch.renorm(x, 2, 0, 1.0),
    "logsumexp": lambda x: x.logsumexp(0),
    "sum": lambda x: x.sum(),
    "sum, a dim": lambda x: x.sum(0),
    "prod": lambda x: x.prod(),
    "prod, a dim": lambda x: x.prod(0),
    "cumsum": lambda x: x.cumsum(0),
    "cumprod": lambda x: x.cumprod(0),
    "softmax": lambda x: x.softmax(0),
    "log_softmax": lambda x: x.log_softmax(0),
    "interpolate": lambda x: F.interpolate(x[None, None], scale_factor=2),
    "interpolate, bilinear": lambda x: F.interpolate(x[None, None], scale_factor=2, mode="bilinear"),
    "cross_entropy": lambda x: F.cross_entropy(x, x.argmax(1)),
    "poisson_nll_loss": lambda x: F.poisson_nll_loss(x, x),
    "cosine_embedding_loss": lambda x: F.cosine_embedding_loss(x, x, x[0].ceil()),
    "hinge_embedding_loss": lambda x: F.hinge_embedding_loss(x, x.ceil()),
    "kl_div": lambda x: F.kl_div(x, x, reduction="batchmean"),
    "l1_loss": lambda x: F.l1_loss(x, x),
    "smooth_l1_loss": lambda x: F.smooth_l1_loss(x, x),
    "huber_loss": lambda x: F.huber_loss(x, x),
    "mse_loss": lambda x: F.mse_loss(x, x),
    "margin_ranking_loss": lambda x: F.margin_ranking_loss(x, x, x.ceil()),
    "multilabel_margin_loss": lambda x: F.multilabel_margin_loss(x, x.argsort(1)),
    "multi_margin_loss": lambda x: F.multi_margin_loss(x, x.argmax(1)),
    "soft_margin_loss": lambda x: F.soft_margin_loss(x, x.ceil()),
    "triplet_margin_loss": lambda x: F.triplet_margin_loss(x, x, x),
    "binary_cross_entropy_with_logits": lambda x: F.binary_cross_entropy_with_logits(x, x),
}
WIDEST = {
    "addcdiv": lambda x, y: torch.addcdiv(x, x, y),
    "addcmul": lambda x, y: torch.addcmul(x, x, y),
    "atan2": torch.atan2,
    "bilinear": lambda x, y: F.bilinear(x, y, x[None], x[0, :1]),
    "cross": lambda x, y: torch.cross(x[:, :3], y[:, :3], dim=1),
    "dot": lambda x, y: torch.dot(x[0], y[0]),
    "vdot": lambda x, y: torch.vdot(x[0], y[0]),
    "grid_sample": lambda x, y: F.grid_sample(x[None, None], y[None, :, :2, None].mT, align_corners=False),
    "index_put": lambda x, y: torch.index_put(x, [torch.arange(2, device=DEVICE)], y[0]),
    "tensordot": lambda x, y: torch.tensordot(x, y, 1),
    "scatter_add": lambda x, y: torch.scatter_add(x, 0, x.long(), y),
}


def autocast(dtype: torch.dtype = torch.float16) -> torch.autocast:
    return torch.autocast(DEVICE, dtype)


def values() -> torch.Tensor:
    """Between 0 and 1, which all operations take."""
    return ready(4, 4).sigmoid()


def dtypes(result: object) -> set[torch.dtype]:
    """The types of the floating-point tensors of a result."""
    if isinstance(result, torch.Tensor):
        return {result.dtype} if result.is_floating_point() else set()
    return set().union(*map(dtypes, result)) if isinstance(result, tuple) else set()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", LOWER)
def test_runs_in_the_lower_type(name: str, dtype: torch.dtype):
    x = values()
    with autocast(dtype):
        assert dtypes(LOWER[name](x)) == {dtype}
    assert dtypes(LOWER[name](x)) == {torch.float32}


def test_gradients_of_an_lstm_have_the_types_of_its_parameters():
    net, x = nn.LSTM(4, 4, device=DEVICE), values()
    with autocast():
        loss = net(x)[0].square().sum()
    loss.backward()
    assert {p.grad.dtype for p in net.parameters()} == {torch.float32}
    net.double()
    with autocast():
        assert net(x.double())[0].dtype == torch.float64


@pytest.mark.parametrize("name", FULL)
def test_runs_in_float32(name: str):
    x = values().half()
    with autocast():
        assert dtypes(FULL[name](x)) == {torch.float32}


SUMS = {
    "float16": (torch.float16, {"dtype": torch.float16}, torch.float16),
    "float64": (torch.float64, {}, torch.float64),
    "int64": (torch.int64, {}, torch.int64),
    "float16 as float64": (torch.float16, {"dtype": torch.float64}, torch.float64),
}


@pytest.mark.parametrize("name", SUMS)
def test_a_sum_has_the_type_that_it_is_given_and_others_than_floats_are_left_alone(name: str):
    dtype, given, wanted = SUMS[name]
    x = values().to(dtype)
    with autocast():
        assert x.sum(**given).dtype == x.cumsum(0, **given).dtype == wanted


def test_a_norm_of_float64_stays_float64():
    x = values().double()
    with autocast():
        norms = x.norm(), torch.ops.aten.norm.Scalar(x), torch.ops.aten.norm.ScalarOpt_dim(x, 2, [0], True)
    assert dtypes(norms) == {torch.float64}
    assert norms[2].shape == (1, 4)


@pytest.mark.parametrize("name", WIDEST)
def test_runs_in_the_widest_type_of_its_arguments(name: str):
    function, x = WIDEST[name], values()
    with autocast():
        assert dtypes(function(x, x.half())) == dtypes(function(x.half(), x)) == {torch.float32}
        assert dtypes(function(x.half(), x.half())) == {torch.float16}
        assert dtypes(function(x.double(), x.double())) == {torch.float64}
        with pytest.raises(RuntimeError, match="Unexpected floating ScalarType in at::autocast::prioritize"):
            function(x, x.bfloat16())


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
def test_binary_cross_entropy_is_refused_as_long_as_autocast_is_on(dtype: torch.dtype):
    x = values()
    with autocast():
        for function in (F.binary_cross_entropy, nn.BCELoss()):
            with pytest.raises(
                RuntimeError, match=r"binary_cross_entropy and torch\.nn\.BCELoss are unsafe to autocast"
            ):
                function(x.to(dtype), x)
        with torch.autocast(DEVICE, enabled=False):
            F.binary_cross_entropy(x, x)
    assert F.binary_cross_entropy(x, x).dtype == torch.float32


PARTS = {
    "conv2d with padding": (
        lambda x: F.conv2d(x[None, None], x[:, None, None, :3], padding="same"),
        torch.float16,
    ),
    "linalg.norm": (lambda x: torch.linalg.norm(x.half()), torch.float32),
    "cross_entropy": (lambda x: F.cross_entropy(x.half(), x.argmax(1)), torch.float32),
    "interpolate": (lambda x: F.interpolate(x[None, None].half(), scale_factor=2), torch.float32),
    "linalg.multi_dot": (lambda x: torch.linalg.multi_dot([x, x, x]), torch.float16),
    "a square root": (lambda x: x.half().sqrt(), torch.float16),
}


@pytest.mark.parametrize("mode", [torch.enable_grad, torch.no_grad, torch.inference_mode])
@pytest.mark.parametrize("name", PARTS)
def test_parts_of_operations_run_in_their_types_in_every_mode(name: str, mode: Callable[[], AbstractContextManager]):
    function, dtype = PARTS[name]
    x = values()
    with mode(), autocast():
        assert function(x).dtype == dtype
        with torch.autocast(DEVICE, enabled=False):
            assert F.cross_entropy(x.half(), x.argmax(1)).dtype == torch.float16
        assert function(x).dtype == dtype
    with mode():
        assert F.cross_entropy(x.half(), x.argmax(1)).dtype == torch.float16
