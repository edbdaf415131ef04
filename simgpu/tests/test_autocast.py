"""``torch.autocast``: in which type each operation runs, as in the lists of PyTorch's autocast_mode.h for CUDA."""

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
