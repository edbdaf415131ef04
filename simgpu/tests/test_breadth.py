"""What students use beside single operations: modules, optimizers, autograd's tools, data loading, saving; all equal to the CPU."""

import copy
import io
import os
import select
import subprocess
import sys

import pytest
import torch
import torch.nn.functional as F
from device import DEVICE, gpu, judge, logged, ready, wait_everywhere
from torch import nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset


def same(got, want, **tolerance) -> None:
    torch.testing.assert_close(
        got.detach().cpu(), want.detach(), check_stride=False, **(tolerance or {"rtol": 1e-4, "atol": 1e-5})
    )


class Block(nn.Module):
    def __init__(self, a: int, b: int, stride: int = 1) -> None:
        super().__init__()
        self.one, self.two = nn.Conv2d(a, b, 3, stride, 1, bias=False), nn.Conv2d(b, b, 3, 1, 1, bias=False)
        self.n1, self.n2, self.side = (
            nn.BatchNorm2d(b),
            nn.BatchNorm2d(b),
            nn.Conv2d(a, b, 1, stride) if stride > 1 else nn.Identity(),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(self.n2(self.two(F.relu(self.n1(self.one(x))))) + self.side(x))


def lenet() -> nn.Module:
    convolutions = [
        nn.Conv2d(1, 6, 5, padding=2),
        nn.Sigmoid(),
        nn.AvgPool2d(2),
        nn.Conv2d(6, 16, 5),
        nn.Sigmoid(),
        nn.AvgPool2d(2),
    ]
    return nn.Sequential(
        *convolutions,
        nn.Flatten(),
        nn.Linear(400, 120),
        nn.Sigmoid(),
        nn.Linear(120, 84),
        nn.Sigmoid(),
        nn.Linear(84, 10),
    )


def resnet() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(1, 4, 3, 1, 1),
        nn.BatchNorm2d(4),
        nn.ReLU(),
        Block(4, 4),
        Block(4, 8, 2),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(8, 10),
    )


def train(device: str, make, optimizer):
    torch.manual_seed(0)
    net = make()
    opt = optimizer(net.parameters())  # before the move: the Parameter objects stay the same
    net.to(device)
    size = 28 if make is lenet else 12
    batches = [(torch.randn(4, 1, size, size).to(device), torch.randint(0, 10, (4,)).to(device)) for _ in range(2)]
    losses: list[torch.Tensor] = []

    def steps() -> None:
        for x, y in batches:
            opt.zero_grad()
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            opt.step()
            losses.append(loss.detach())

    if device == DEVICE:
        assert not [e for e in logged(steps, until_waited_for=False) if e.is_wait]
    else:
        steps()
    return [v.cpu() for v in net.state_dict().values()] + [loss.cpu() for loss in losses]


@pytest.mark.parametrize("make", [lenet, resnet])
@pytest.mark.parametrize("foreach", [False, True])
def test_training_is_bit_equal_to_the_cpu_and_waits_for_nothing(make, foreach: bool):
    def optimizer(parameters):
        return torch.optim.SGD(parameters, lr=0.1, momentum=0.9, weight_decay=1e-4, foreach=foreach)

    for a, b in zip(train("cpu", make, optimizer), train(DEVICE, make, optimizer), strict=True):
        assert torch.equal(a, b)


OPTIMIZERS = [
    "SGD",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "RAdam",
    "RMSprop",
    "Rprop",
    "Adagrad",
    "Adadelta",
    "ASGD",
    "Adafactor",
]


@pytest.mark.parametrize("foreach", [False, True])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers_step_as_on_the_cpu(name: str, foreach: bool):
    def steps(device: str) -> list[torch.Tensor]:
        torch.manual_seed(3)
        w = [torch.randn(4, 5).to(device).requires_grad_(), torch.randn(5).to(device).requires_grad_()]
        opt = getattr(torch.optim, name)(w, lr=0.05, foreach=foreach)
        x = torch.randn(6, 4).to(device)
        for _ in range(3):
            opt.zero_grad(set_to_none=not foreach)
            (torch.tanh(x @ w[0]) + w[1]).square().sum().backward()
            opt.step()
        return w

    for got, want in zip(steps(DEVICE), steps("cpu"), strict=True):
        same(got, want)


def test_lbfgs_steps_as_on_the_cpu():
    def steps(device: str) -> torch.Tensor:
        w = torch.arange(4.0).to(device).requires_grad_()
        opt = torch.optim.LBFGS([w], lr=0.5, max_iter=4)

        def closure() -> torch.Tensor:
            opt.zero_grad()
            loss = (w - 2).pow(4).sum()
            loss.backward()
            return loss

        opt.step(closure)
        return w

    same(steps(DEVICE), steps("cpu"))


MODULES = {
    "LSTM": (lambda: nn.LSTM(5, 4, 2, batch_first=True, bidirectional=True), (3, 6, 5)),
    "LSTM without bias": (lambda: nn.LSTM(5, 4, bias=False), (6, 3, 5)),
    "GRU": (lambda: nn.GRU(5, 4, 2), (6, 3, 5)),
    "GRU without bias": (lambda: nn.GRU(5, 4, bias=False), (6, 3, 5)),
    "RNN": (lambda: nn.RNN(5, 4), (6, 3, 5)),
    "LSTMCell": (lambda: nn.LSTMCell(5, 4), (3, 5)),
    "GRUCell": (lambda: nn.GRUCell(5, 4), (3, 5)),
    "encoder": (
        lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), 2),
        (3, 6, 8),
    ),
    "LayerNorm": (lambda: nn.LayerNorm(5), (3, 5)),
    "GroupNorm": (lambda: nn.GroupNorm(2, 4), (3, 4, 5)),
    "BatchNorm": (lambda: nn.BatchNorm1d(4), (3, 4, 5)),
    "InstanceNorm": (lambda: nn.InstanceNorm1d(4, affine=True), (3, 4, 5)),
    "RMSNorm": (lambda: nn.RMSNorm(5), (3, 5)),
    "Conv1d": (lambda: nn.Conv1d(4, 3, 3, padding=1), (3, 4, 6)),
    "Conv3d": (lambda: nn.Conv3d(2, 3, 2), (1, 2, 4, 4, 4)),
    "ConvTranspose2d": (lambda: nn.ConvTranspose2d(2, 3, 2), (1, 2, 4, 4)),
    "Upsample": (lambda: nn.Sequential(nn.Conv2d(2, 2, 1), nn.Upsample(scale_factor=2, mode="bilinear")), (1, 2, 4, 4)),
    "Bilinear": (lambda: nn.Sequential(nn.Linear(4, 4), nn.GELU(), nn.Softmax(-1), nn.LogSigmoid()), (3, 4)),
    "pooling": (lambda: nn.Sequential(nn.Conv2d(2, 2, 1), nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(1)), (1, 2, 4, 4)),
}


@pytest.mark.parametrize("name", MODULES)
def test_modules_are_equal_forward_and_backward(name: str):
    make, shape = MODULES[name]
    torch.manual_seed(0)
    net, x = make(), torch.randn(shape)
    twin, there = copy.deepcopy(net).to(DEVICE), x.to(DEVICE)

    def run(module: nn.Module, given: torch.Tensor) -> list[torch.Tensor]:
        given = given.clone().requires_grad_()
        out = module(given)
        while isinstance(out, tuple):
            out = out[0]
        out.square().sum().backward()
        return [out, given.grad, *(p.grad for p in module.parameters())]

    want = run(net, x)
    got: list[torch.Tensor] = []
    assert not [e for e in logged(lambda: got.extend(run(twin, there)), until_waited_for=False) if e.is_wait]
    for a, b in zip(got, want, strict=True):
        same(a, b)


def test_a_transformer_in_eval_mode_with_a_mask():
    torch.manual_seed(0)
    net, x = (
        nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 1).eval(),
        torch.randn(2, 5, 8),
    )
    mask = nn.Transformer.generate_square_subsequent_mask(5)
    with torch.no_grad():
        want = net(x, mask=mask)
        same(net.to(DEVICE)(x.to(DEVICE), mask=mask.to(DEVICE)), want)


@pytest.mark.filterwarnings("ignore")
def test_a_transformer_in_eval_mode_takes_padding_without_nested_tensors():
    """What stands at the padding itself nobody reads: PyTorch's nested tensors leave zeros there, and there are none."""
    torch.manual_seed(0)
    net = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2).eval()
    x, padding = torch.randn(2, 5, 8), torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    with torch.no_grad():
        want = net(x, src_key_padding_mask=padding)
        got = net.to(DEVICE)(x.to(DEVICE), src_key_padding_mask=padding.to(DEVICE)).cpu()
    same(got[~padding], want[~padding])


@pytest.mark.parametrize("make", [nn.RNN, nn.GRU, nn.LSTM])
@pytest.mark.parametrize("is_sorted", [False, True])
def test_packed_sequences(make, is_sorted: bool):
    torch.manual_seed(0)
    net = make(4, 5, 2, bidirectional=True, batch_first=True)
    lengths = torch.tensor([6, 4, 1] if is_sorted else [4, 1, 6])

    def run(net: nn.Module, x: torch.Tensor) -> list[torch.Tensor]:
        x.requires_grad_()
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=is_sorted)
        out, told = nn.utils.rnn.pad_packed_sequence(net(packed)[0], batch_first=True)
        assert torch.equal(told, lengths)
        (out**2).sum().backward()
        return [out, x.grad, *(p.grad for p in net.parameters())]

    x = torch.randn(3, 6, 4)
    twin = copy.deepcopy(net).to(DEVICE)
    for got, want in zip(run(twin, x.to(DEVICE)), run(net, x.clone()), strict=True):
        same(got, want)
    with pytest.raises(RuntimeError, match="'lengths' argument should be a 1D CPU int64 tensor"):
        nn.utils.rnn.pack_padded_sequence(x.to(DEVICE), lengths.to(DEVICE), batch_first=True)


def test_distributions_check_their_arguments_and_draw():
    zero, one = torch.zeros(3, device=DEVICE), torch.ones(3, device=DEVICE)
    normal = torch.distributions.Normal(zero, one)
    assert normal.rsample((5,)).shape == (5, 3)
    same(normal.log_prob(one), torch.distributions.Normal(zero.cpu(), one.cpu()).log_prob(one.cpu()))
    same(torch.distributions.kl_divergence(normal, torch.distributions.Normal(one, one)), one.cpu() / 2)
    drawn = torch.distributions.Categorical(logits=zero).sample((50,)).cpu()
    assert set(drawn.tolist()) == {0, 1, 2}
    for rate in (torch.distributions.Poisson(one * 4), torch.distributions.Gamma(one, one)):
        assert rate.sample((5,)).shape == (5, 3)
    with pytest.raises(ValueError, match="constraint GreaterThan"):
        torch.distributions.Normal(zero, -one, validate_args=True)  # torch.compile disables the check by default


def test_numbers_of_the_device_in_a_list():
    x = torch.arange(3.0).to(DEVICE)
    assert torch.tensor([x[1], [x[2]][0], 5.0]).tolist() == [1, 2, 5]
    assert torch.tensor([[x[1]], (x[2],)], device=DEVICE).tolist() == [[1], [2]]
    with pytest.raises(NotImplementedError, match="_to_sparse"):
        x.to_sparse()


def test_numbers_are_counted():
    x = torch.tensor([1, 2, 2, 6])
    there = x.to(DEVICE)
    assert torch.equal(torch.bincount(there, minlength=9).cpu(), torch.bincount(x, minlength=9))
    assert torch.equal(torch.bincount(there, there * 0.5).cpu(), torch.bincount(x, x * 0.5))
    assert torch.equal(torch.gcd(there, there * 4).cpu(), x)
    with pytest.raises(RuntimeError, match="numbers to be counted are out of range"):
        torch.bincount(torch.tensor([2**63 - 1], device=DEVICE))  # the kernel would write far beyond its result


@pytest.mark.parametrize("causal", [False, True])
def test_attention(causal: bool):
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 2, 2, 5, 4).unbind()
    want = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    same(F.scaled_dot_product_attention(q.to(DEVICE), k.to(DEVICE), v.to(DEVICE), is_causal=causal), want)
    net = nn.MultiheadAttention(8, 2, batch_first=True)
    x = torch.randn(2, 5, 8)
    want, weights = net(x, x, x)
    there = copy.deepcopy(net).to(DEVICE)(x.to(DEVICE), x.to(DEVICE), x.to(DEVICE))
    same(there[0], want)
    same(there[1], weights)


@pytest.mark.parametrize(
    "dtype",
    [torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.uint8, torch.bool, torch.complex64],
)
def test_dtypes(dtype: torch.dtype):
    x = torch.arange(12).reshape(3, 4).to(dtype)
    there = x.to(DEVICE)
    for work in (
        lambda t: t + t,
        lambda t: t * t,
        lambda t: t.sum(),
        lambda t: t == t,
        lambda t: t.t().contiguous(),
        lambda t: torch.cat([t, t]),
    ):
        want = work(x)
        got = work(there)
        assert got.dtype == want.dtype
        assert torch.equal(got.cpu(), want)


def test_half_precision_matrix_products():
    for dtype in (torch.float16, torch.bfloat16):
        x = torch.randn(4, 4).to(dtype)
        same((x.to(DEVICE) @ x.to(DEVICE)).float(), (x @ x).float(), rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_a_layer_norm_of_half_precision(dtype: torch.dtype):
    net, x = nn.LayerNorm(4).to(dtype), torch.randn(3, 4).to(dtype)
    want = net(x)
    want.sum().backward()
    there = copy.deepcopy(net).to(DEVICE)
    there.zero_grad()
    got = there(x.to(DEVICE))
    got.sum().backward()
    same(got.float(), want.float(), rtol=1e-2, atol=1e-2)
    same(there.weight.grad.float(), net.weight.grad.float(), rtol=1e-2, atol=1e-2)


def test_autocast_casts_down_what_cuda_casts_down_and_a_scaler_scales():
    torch.manual_seed(0)
    net, x = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2)).to(DEVICE), ready(3, 4)
    opt = torch.optim.SGD(net.parameters(), 0.1)
    scaler = torch.amp.GradScaler(DEVICE, init_scale=1024.0)
    before = net[0].weight.detach().clone()
    with torch.autocast(DEVICE, dtype=torch.float16):
        h = net[0](x)
        out = net(x)
        loss = F.mse_loss(out, torch.zeros_like(out))
        assert h.dtype == out.dtype == torch.float16
        assert loss.dtype == torch.float32
        assert F.softmax(h, -1).dtype == torch.float32
    assert net[0](x).dtype == torch.float32
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
    assert scaler.get_scale() == 1024.0
    assert not torch.equal(before.cpu(), net[0].weight.detach().cpu())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("workers", [0, 1])
def test_a_data_loader_pins_its_batches(workers: int):
    data = TensorDataset(torch.arange(12.0).reshape(6, 2), torch.arange(6))
    context = "spawn" if workers else None
    batches = []
    for x, y in DataLoader(data, 2, pin_memory=True, num_workers=workers, multiprocessing_context=context):
        assert x.is_pinned()
        batches.append((x.to(DEVICE, non_blocking=True), y.to(DEVICE, non_blocking=True)))
    assert torch.equal(torch.cat([x for x, _ in batches]).cpu(), data.tensors[0])


def test_data_on_the_device_is_neither_pinned_nor_read_by_a_forked_worker():
    """In CUDA's words: collation there ended the worker, by a look at memory that is not in its process."""
    data = ready(6, 2)
    with pytest.raises(RuntimeError, match=r"cannot pin 'torch\.simgpu\.FloatTensor' only dense CPU tensors"):
        next(iter(DataLoader(data, 2, pin_memory=True)))
    with pytest.raises(RuntimeError, match="Cannot re-initialize simgpu in forked subprocess"):
        next(iter(DataLoader(data, 2, num_workers=1, multiprocessing_context="fork")))
    assert data.sum().isfinite()


LEAVES_A_CHILD = """
import os, sys, torch, simgpu
torch.ones(2, device="simgpu").tolist()
if os.fork() == 0:
    sys.stdin.read()  # lives on until the test lets it go
    os._exit(0)
print(simgpu.front.link.link().process.pid, flush=True)
os._exit(0)
"""


def test_a_device_ends_with_its_program_though_a_child_of_it_lives_on():
    command = [sys.executable, "-c", LEAVES_A_CHILD]
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with program:
        number = int(program.stdout.readline())
        try:
            device = os.pidfd_open(number)
        except ProcessLookupError:  # it has already ended
            ended = [number]
        else:
            ended, _, _ = select.select([device], [], [], 60)
            os.close(device)
        program.stdin.close()
    assert ended


@pytest.mark.parametrize("reentrant", [False, True])
def test_checkpoint_gives_the_same_gradients_with_dropout_too(reentrant: bool):
    def gradient(again: bool) -> torch.Tensor:
        torch.manual_seed(4)
        x = torch.ones(3, 4, device=DEVICE, requires_grad=True)

        def work(t: torch.Tensor) -> torch.Tensor:
            return F.dropout((t * 2).sin(), 0.5)

        (checkpoint(work, x, use_reentrant=reentrant) if again else work(x)).sum().backward()
        return x.grad.cpu()

    assert torch.equal(gradient(True), gradient(False))


def test_checkpoint_lowers_the_peak():
    def peak(again: bool) -> int:
        wait_everywhere()
        x = torch.ones(256, 1024, device=DEVICE, requires_grad=True)
        gpu.reset_peak_memory_stats()
        before = gpu.memory_allocated()

        def work(t: torch.Tensor) -> torch.Tensor:
            for _ in range(6):
                t = (t * 1.1).sin()
            return t

        out = checkpoint(work, x, use_reentrant=False) if again else work(x)
        held = gpu.memory_allocated() - before
        out.sum().backward()
        return held

    assert peak(True) < peak(False) / 3


def test_func_transforms():
    x = torch.randn(3, 4)
    same(torch.func.grad(lambda t: (t**3).sum())(x.to(DEVICE)), torch.func.grad(lambda t: (t**3).sum())(x))
    same(torch.func.vmap(lambda r: r * 2 + r.sum())(x.to(DEVICE)), torch.func.vmap(lambda r: r * 2 + r.sum())(x))
    same(torch.func.jacrev(torch.sin)(x[0].to(DEVICE)), torch.func.jacrev(torch.sin)(x[0]))
    same(torch.func.hessian(lambda t: (t**3).sum())(x[0].to(DEVICE)), torch.func.hessian(lambda t: (t**3).sum())(x[0]))
    net = nn.Linear(4, 2)
    there = {k: v.to(DEVICE) for k, v in net.state_dict().items()}
    same(torch.func.functional_call(net, there, x.to(DEVICE)), net(x))


def test_gradcheck():
    x = torch.randn(2, 3, dtype=torch.float64).to(DEVICE).requires_grad_()
    assert torch.autograd.gradcheck(lambda t: (t.sin() @ t.t()).tanh(), (x,))
    assert torch.autograd.gradgradcheck(lambda t: (t * t).sum(1), (x,))


def test_higher_order_gradients():
    def work(device: str):
        torch.manual_seed(1)
        a, b = torch.randn(4, 6).to(device).requires_grad_(), torch.randn(6, 5).to(device).requires_grad_()
        y = (a @ b).relu()
        z = (y[1:].t() * 2).exp().sum() + y.std() + (y[y > 0] ** 2).sum() + y.max()
        g = torch.autograd.grad(z, [a, b], create_graph=True)
        (g[0] ** 2).sum().backward()
        return [*g, a.grad, b.grad]

    for got, want in zip(work(DEVICE), work("cpu"), strict=True):
        same(got, want, rtol=1e-3, atol=1e-2)


def test_saving_and_loading_keep_values_and_layout():
    net = nn.Linear(3, 2).to(DEVICE)
    file = io.BytesIO()
    torch.save({"net": net.state_dict(), "t": torch.arange(6.0).reshape(2, 3).to(DEVICE)}, file)
    file.seek(0)
    loaded = torch.load(file, weights_only=True)
    assert loaded["t"].device.type == DEVICE
    assert loaded["t"].tolist() == [[0, 1, 2], [3, 4, 5]]
    other = nn.Linear(3, 2)
    other.load_state_dict(loaded["net"])
    same(net.weight, other.weight)


def test_views_alias_as_on_the_cpu():
    def work(device: str):
        a = torch.arange(24.0).reshape(4, 6).to(device)
        a.t()[2].add_(1)
        a[1].mul_(2)
        a.view(-1)[5:7].zero_()
        a[:, 0].fill_(7)
        a[a.isnan()].add_(1)
        left, right = a.split(3, dim=1)
        left += right
        torch.add(left, 1, out=right)
        b = a.reshape(6, 4)
        b[0] = -1
        c = a.t().reshape(-1)
        c.zero_()
        a[[0, 2]] *= 3
        a.diagonal().copy_(torch.ones(4).to(device))
        a[1:].copy_(a[:-1].clone())
        a.t_()
        return a, b, left, b.data_ptr() == a.data_ptr(), c.data_ptr() == a.data_ptr(), a[1].data_ptr() - a.data_ptr()

    for want, got in zip(work("cpu"), work(DEVICE), strict=True):
        assert torch.equal(want, got.cpu()) if isinstance(want, torch.Tensor) else want == got


def test_in_place_views_change_a_tensor_every_time():
    for _ in range(3):
        x = ready(2, 3)
        assert x.t_().shape == (3, 2)
        assert x.unsqueeze_(0).shape == (1, 3, 2)
        assert x.squeeze_(0).shape == (3, 2)


def test_out_grows_and_data_may_be_replaced():
    x = ready(3, value=2.0)
    out = torch.empty(0, device=DEVICE)
    torch.add(x, x, out=out)
    assert out.tolist() == [4.0] * 3
    p = nn.Parameter(x.clone())
    p.data = p.data - 1
    q = p * 2
    p.data.add_(5)
    assert q.tolist() == [2.0] * 3
    assert p.tolist() == [6.0] * 3
    p.data = torch.ones(2, 2, device=DEVICE)
    assert p.shape == (2, 2)


def test_conjugates_have_their_values_and_refuse_to_be_written_through():
    x = torch.randn(3, 4, dtype=torch.complex64)
    there = x.to(DEVICE)
    same(there.conj() * 2, x.conj() * 2)
    same(there.mH @ there, x.mH @ x)
    same(torch.fft.fft(there).abs(), torch.fft.fft(x).abs())
    with pytest.raises(NotImplementedError, match="resolve_conj"):
        there.conj().mul_(2)


@pytest.mark.parametrize("size", [2, 300])
def test_truth_values_have_absolute_values_as_on_cuda(size: int):
    x = torch.eye(size).bool()
    there = x.to(DEVICE)
    same(there.abs(), x)
    same(there.clone().abs_(), x)
    same(torch.abs(there, out=torch.empty(size, size, dtype=torch.bool, device=DEVICE)), x)
    same(F.softsign(there), x / 2)


@pytest.mark.parametrize(
    ("work", "name"),
    [
        (lambda x: x.to_sparse(), "_to_sparse"),
        (lambda x: torch.quantize_per_tensor(x, 0.1, 0, torch.qint8), "quantize_per_tensor"),
        (lambda x: gpu.CUDAGraph(), "CUDAGraph"),
        (lambda x: torch.ops.aten.from_file("x", False, 3, device=DEVICE), "from_file"),
        (lambda x: torch.nested.as_nested_tensor([x, x]), "nested tensors are not simulated"),
        (lambda x: torch.nested.nested_tensor([[1.0]], device=DEVICE, layout=torch.jagged), "nested tensors"),
        (lambda x: torch.compile(lambda y: y + 1, fullgraph=True, backend="eager")(x), "compile.fullgraph=True"),
        (lambda x: torch.compile(nn.ReLU(), fullgraph=True, backend="eager")(x), "flex_attention"),
        (lambda x: torch.distributed.init_process_group("nccl"), r"nccl.*simgpu\.distributed\.ranks"),
        (lambda x: copy.deepcopy(x.untyped_storage()), "bytes of a storage"),
        (lambda x: x.untyped_storage().byteswap(torch.float32), "bytes of a storage"),
        (lambda x: bytes(x.untyped_storage()), "bytes of a storage"),
        (lambda x: torch.UntypedStorage(4, device=DEVICE), "bytes of a storage"),
    ],
    ids=[
        *("sparse", "quantized", "graph", "file"),
        *("nested", "nested by name", "fullgraph", "fullgraph of a module", "nccl"),
        *("a storage copied", "a storage swapped", "a storage read", "a storage made"),
    ],
)
def test_what_is_missing_is_refused_by_name(work, name: str):
    with pytest.raises(NotImplementedError, match=name):
        work(ready(3, 3))


class Broken(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x + 1

    @staticmethod
    def backward(ctx, g):
        raise ValueError("wrong turn")


def test_storages_of_the_host_are_made_and_copied_as_ever():
    made = torch.UntypedStorage([1, 2, 3])
    assert [copy.deepcopy(made).tolist(), bytes(made.clone()), torch.UntypedStorage(4).nbytes()] == [
        [1, 2, 3],
        b"\1\2\3",
        4,
    ]


def test_generators_of_the_host_are_made_as_ever():
    generator = torch.Generator().manual_seed(3)
    assert isinstance(generator, torch.Generator) and torch.Generator("cpu").device.type == "cpu"
    assert sorted(torch.randperm(5, generator=generator).tolist()) == [0, 1, 2, 3, 4]


@pytest.mark.filterwarnings("ignore")
def test_anomaly_mode_names_the_operation_that_made_a_nan():
    x = torch.zeros(3, device=DEVICE, requires_grad=True)
    with torch.autograd.detect_anomaly(), pytest.raises(RuntimeError, match="'SqrtBackward0' returned nan"):
        (x.sqrt() * torch.zeros(3, device=DEVICE)).sum().backward()


def test_an_exception_in_the_backward_pass_reaches_the_caller():
    x = ready(3, value=1.0).requires_grad_()
    with pytest.raises(ValueError, match="wrong turn"):
        Broken.apply(x).sum().backward()
    y = x * 2
    y.register_hook(lambda g: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        y.sum().backward()
    z = (x * 2).to_dense() if x.is_sparse else x * 2
    with pytest.raises(NotImplementedError, match="_to_sparse"):
        z.register_hook(lambda g: g.to_sparse())
        z.sum().backward()
    x.grad = None
    (x * 3).sum().backward()
    assert x.grad.tolist() == [3.0] * 3


def _turn_wrong(*_: object) -> None:
    raise ValueError("wrong turn")


def _node(x: torch.Tensor) -> torch.Tensor:
    (y := x * x).grad_fn.register_hook(_turn_wrong)
    return y


def _before_node(x: torch.Tensor) -> torch.Tensor:
    (y := x * x).grad_fn.register_prehook(_turn_wrong)
    return y


def _leaf(x: torch.Tensor) -> torch.Tensor:
    (y := x * x).grad_fn.next_functions[0][0].register_hook(_turn_wrong)
    return y


def _several(x: torch.Tensor) -> torch.Tensor:
    y, z = x * x, x + 1
    torch.autograd.graph.register_multi_grad_hook((y, z), _turn_wrong)
    return y + z


def _module(x: torch.Tensor) -> torch.Tensor:
    net = nn.Linear(3, 3).to(DEVICE)
    net.register_full_backward_hook(_turn_wrong)
    return net(x)


def _before_module(x: torch.Tensor) -> torch.Tensor:
    net = nn.Linear(3, 3).to(DEVICE)
    net.register_full_backward_pre_hook(_turn_wrong)
    return net(x)


def _unpacking(x: torch.Tensor) -> torch.Tensor:
    with torch.autograd.graph.saved_tensors_hooks(lambda saved: saved, _turn_wrong):
        return x * x


def _computed_again(x: torch.Tensor) -> torch.Tensor:
    calls = iter([torch.tanh, _turn_wrong])
    return checkpoint(lambda value: next(calls)(value), x, use_reentrant=False)


@pytest.mark.parametrize(
    "made", [_node, _before_node, _leaf, _several, _module, _before_module, _unpacking, _computed_again]
)
def test_an_exception_of_whatever_the_backward_pass_calls_reaches_the_caller(made):
    x = ready(3, 3, value=1.0).requires_grad_()
    with pytest.raises(ValueError, match="wrong turn"):
        made(x).sum().backward()
    other = ready(3, 3, value=1.0).requires_grad_()
    (other * 3).sum().backward()
    assert other.grad.tolist() == [[3.0] * 3] * 3


def test_deepcopy_and_swapping_of_parameters():
    net = nn.Linear(3, 2)
    weight = net.weight
    twin = copy.deepcopy(net.to(DEVICE))
    assert net.weight is weight
    assert torch.equal(twin.weight.cpu(), net.weight.cpu())
    assert twin.weight.data_ptr() != net.weight.data_ptr()


@pytest.mark.parametrize("backend", ["eager", "inductor"])
def test_what_is_compiled_runs_as_it_stands_on_the_device(backend: str):
    """No graph holds our tensors, and none is made of our own code."""

    @torch.compile(backend=backend)
    def work(x: torch.Tensor) -> torch.Tensor:
        return (x * 2).sin() + 1

    counters = torch._dynamo.utils.counters
    counters.clear()
    x = ready(3)
    same(work(x), (x.cpu() * 2).sin() + 1)
    assert counters["stats"]["unique_graphs"] == 0
    judge.release()
