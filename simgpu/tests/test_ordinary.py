"""Ordinary PyTorch that no operator database has: each is what it is on the CPU, or refused by its name."""

import copy
import gc
import io
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from device import DEVICE, ready, waits
from simgpu.device import checks, own_kernels
from torch import nn
from torch.utils import _pytree as pytree

from simgpu import operations


def same(work: Callable[[str], Any]) -> None:
    """What a function of a device gives, on the CPU and here."""
    made = []
    for device in ("cpu", DEVICE):
        torch.manual_seed(3)
        leaves = pytree.tree_leaves(work(device))
        assert all(t.device.type == torch.device(device).type for t in leaves if isinstance(t, torch.Tensor))
        made.append([t.detach().cpu() if isinstance(t, torch.Tensor) else t for t in leaves])
    torch.testing.assert_close(made[1], made[0], rtol=1e-5, atol=1e-5, equal_nan=True)


def given(device: str, *shape: int) -> torch.Tensor:
    return torch.randn(*shape).to(device).requires_grad_()


def learned(value: torch.Tensor, *inputs: torch.Tensor) -> Any:
    return value, torch.autograd.grad(value.square().sum(), inputs)


FACTORIES = {
    "linspace": lambda d: torch.linspace(0, 1, 5, device=d),
    "linspace of numbers of the device": lambda d: torch.linspace(
        torch.zeros((), device=d), torch.ones((), device=d), 4, device=d
    ),
    "logspace": lambda d: torch.logspace(0, 3, 4, base=2, device=d),
    "range": lambda d: torch.range(0, 4, device=d),
    "tril_indices": lambda d: torch.tril_indices(3, 3, device=d),
    "triu_indices": lambda d: torch.triu_indices(3, 4, device=d),
    "kaiser_window": lambda d: torch.kaiser_window(5, device=d),
    "kaiser_window of a beta": lambda d: torch.kaiser_window(5, False, 8.0, device=d),
    "a window of torch.signal": lambda d: torch.signal.windows.gaussian(5, std=1.0, device=d),
    "affine_grid": lambda d: F.affine_grid(torch.eye(2, 3, device=d)[None], (1, 1, 3, 3), align_corners=True),
}


@pytest.mark.filterwarnings("ignore:torch.range")
@pytest.mark.parametrize("make", FACTORIES.values(), ids=FACTORIES)
def test_factories_make_on_the_device_what_they_make_on_the_host(make):
    same(make)


def _pads(d: str) -> Any:
    x, y = given(d, 1, 2, 4, 5, 6), given(d, 2, 3, 4, 5)
    made = [F.pad(x, (1,) * 6, mode=m) for m in ("reflect", "replicate", "circular")]
    made += [F.pad(y, (2, 2, 1, 1), mode=m) for m in ("reflect", "replicate")]
    return made, torch.autograd.grad(sum(t.square().sum() for t in made), (x, y))


def _sizes(d: str) -> Any:
    x, y = given(d, 1, 2, 3, 4, 5), given(d, 2, 3, 6, 7)
    made = [F.interpolate(x, scale_factor=2, mode=m) for m in ("nearest", "nearest-exact")]
    made += [F.interpolate(y, size=(4, 3), mode="nearest-exact")]
    made += [F.interpolate(y, size=(4, 3), mode="bicubic", antialias=True)]
    return made, torch.autograd.grad(sum(t.square().sum() for t in made), (x, y))


def _weight_norm(d: str) -> Any:
    net = nn.utils.parametrizations.weight_norm(nn.Linear(3, 4)).to(d)
    return learned(net(given(d, 2, 3)), *net.parameters())


def _attention(d: str) -> Any:
    net = nn.MultiheadAttention(16, 4, batch_first=True).to(d).eval()
    x = given(d, 2, 5, 16)
    with torch.no_grad():
        return net(x, x, x, need_weights=False)[0], net(x, x, x, need_weights=True)


def _embedding(d: str) -> Any:
    net = nn.Embedding(10, 3, max_norm=1.0).to(d)
    return net(torch.tensor([1, 1, 2, 3]).to(d)), net.weight


def _unique(d: str) -> Any:
    rows = torch.tensor([[1, 2], [1, 2], [3, 4], [1, 2]]).to(d)
    return rows.unique(dim=0, return_inverse=True, return_counts=True), torch.unique_consecutive(rows, dim=0)


def _shifts(d: str) -> Any:
    x = torch.arange(6).to(d)
    y = x.clone()
    y <<= 2
    return x << 1, x >> 1, y


def _distances(d: str) -> Any:
    x = given(d, 40, 3)
    return learned(torch.cdist(x, x[:30] + 1), x)


def _random_pool(d: str) -> Any:
    x = given(d, 2, 3, 8, 8)
    samples = torch.rand(2, 3, 2).to(d)
    return learned(F.fractional_max_pool2d(x, 2, output_size=3, _random_samples=samples), x)


def _rrelu(d: str) -> Any:
    x = given(d, 20)
    return learned(F.rrelu(x, 0.2, 0.2, training=True), x)


def _ctc(d: str) -> Any:
    x = given(d, 6, 2, 5)
    labels, lengths = torch.tensor([[1, 2], [3, 4]]).to(d), (torch.tensor([6, 5]), torch.tensor([2, 1]))
    on_the_device = [n.to(d) for n in lengths]
    return [learned(F.ctc_loss(x.log_softmax(2), labels, *n), x) for n in (lengths, on_the_device)]


def _derivatives(d: str) -> Any:
    x = torch.randn(3).to(d)
    cubes = lambda x: torch.stack([(x**3).sum(), x.prod()])  # noqa: E731
    func, old = torch.func, torch.autograd.functional
    return (
        func.hessian(lambda x: (x**4).sum())(x), func.jacrev(cubes)(x), func.jacfwd(cubes)(x),
        func.jvp(F.glu, (torch.randn(2, 6).to(d),), (torch.ones(2, 6, device=d),)), old.jacobian(cubes, x),
        old.hvp(lambda x: (x**3).sum(), x, torch.ones(3, device=d)),
    )  # fmt: skip


def _samples_per_example(d: str) -> Any:
    net = nn.Sequential(nn.Conv2d(1, 2, 3), nn.GroupNorm(1, 2), nn.Flatten(), nn.Linear(32, 3)).to(d)
    values = {name: p.detach() for name, p in net.named_parameters()}
    x, y = given(d, 4, 1, 6, 6), torch.tensor([0, 1, 2, 0]).to(d)

    def loss(values: Any, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(torch.func.functional_call(net, values, (x[None],)), y[None])

    return torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0, 0))(values, x, y)


PROGRAMS = {
    "padding": _pads, "interpolation": _sizes, "weight_norm": _weight_norm, "attention in eval mode": _attention,
    "an embedding of bounded norm": _embedding, "unique rows": _unique, "shifts": _shifts, "cdist": _distances,
    "pooling at random places": _random_pool, "rrelu": _rrelu, "ctc": _ctc, "derivatives": _derivatives,
    "gradients of each example": _samples_per_example,
}  # fmt: skip


@pytest.mark.parametrize("work", PROGRAMS.values(), ids=PROGRAMS)
def test_ordinary_programs_are_equal(work):
    same(work)


@pytest.mark.parametrize("name", ["Adam", "AdamW", "SGD", "Adagrad"])
def test_fused_optimizers_step_as_on_the_cpu_whatever_the_layout(name: str):
    def work(d: str) -> Any:
        net = nn.Sequential(nn.Conv2d(2, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(16, 2))
        net = net.to(memory_format=torch.channels_last).to(d)
        optimizer = getattr(torch.optim, name)(net.parameters(), lr=0.01, weight_decay=0.1, fused=True)
        scaler, x = torch.amp.GradScaler(d, init_scale=1024.0), given(d, 5, 2, 4, 4)
        for step in range(4):
            optimizer.zero_grad()
            loss = net(x).square().mean() * (torch.inf if step == 1 else 1)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        return list(net.parameters()), scaler.get_scale()

    same(work)


def test_random_numbers_of_dirichlet_and_binomial_have_their_moments():
    alpha = torch.full((2000, 3), 2.0, device=DEVICE, requires_grad=True)
    drawn = torch.distributions.Dirichlet(alpha).rsample()
    (grad,) = torch.autograd.grad(drawn.square().sum(), alpha)
    assert 0.31 < drawn.mean().item() < 0.36
    assert grad.isfinite().all()
    counts = torch.distributions.Binomial(10, torch.full((5000,), 0.3, device=DEVICE)).sample()
    assert 2.8 < counts.mean().item() < 3.2


@pytest.mark.parametrize(
    "solve",
    [
        lambda x: torch.linalg.cholesky(x),
        lambda x: torch.linalg.inv(x),
        lambda x: torch.linalg.solve(x, torch.ones(2, device=DEVICE)),
    ],
    ids=["cholesky", "inv", "solve"],
)
def test_a_matrix_that_cannot_be_solved_is_told_at_once_as_on_cuda_and_that_is_a_wait(solve):
    with pytest.raises(torch.linalg.LinAlgError):
        solve(torch.zeros(2, 2, device=DEVICE))
    good = torch.eye(2).to(DEVICE)
    assert waits(lambda: solve(good)) == ["aten._linalg_check_errors.default"]


def test_what_gives_nothing_and_writes_nothing_is_on_no_list():
    """It would be a plan that is never launched: a check that finds nothing."""
    ops = [operations.overload(name) for name in operations.Allowed().names]
    assert [str(op) for op in ops if not (op._schema.returns or op._schema.is_mutable)] == []


@pytest.mark.parametrize("work", [
    lambda x: x @ x.double(), lambda x: x @ x[0].double(), lambda x: nn.Linear(2, 2).to(DEVICE)(x.double()),
    lambda x: torch.addmv(x[0], x.double(), x[0]),
], ids=["mm", "mv", "a layer", "addmv"])  # fmt: skip
def test_products_of_two_types_are_told_at_once(work):
    with pytest.raises(RuntimeError, match="must have the same dtype, but got"):
        work(ready(2, 2))


def lazy_net() -> nn.Module:
    return nn.Sequential(nn.LazyConv2d(3, 3), nn.LazyBatchNorm2d(), nn.Flatten(), nn.LazyLinear(2))


def test_a_net_without_shapes_moves_and_gets_them_at_its_first_batch():
    def work(d: str) -> Any:
        net = lazy_net().to(d)
        before = list(net.parameters())
        x = given(d, 4, 1, 6, 6)
        net(x)
        assert all(a is b and isinstance(a, nn.Parameter) for a, b in zip(net.parameters(), before, strict=True))
        net[1].reset_running_stats()
        with torch.no_grad():  # drawn on their devices, they differ
            for parameter in before:
                parameter.copy_(torch.linspace(-1, 1, parameter.numel()).view(parameter.shape))
        value = net(x)
        value.square().sum().backward()
        return value, [p.grad for p in net.parameters()], list(net.buffers())

    same(work)


def test_a_net_without_shapes_keeps_its_type_its_place_and_its_copies():
    batch = torch.ones(2, 4, dtype=torch.float64, device=f"{DEVICE}:1")
    for net in (
        nn.LazyLinear(3).to(f"{DEVICE}:1").double(),
        nn.LazyLinear(3).double().to(f"{DEVICE}:1"),
        nn.LazyLinear(3, device=f"{DEVICE}:1", dtype=torch.float64),
        copy.deepcopy(nn.LazyLinear(3).to(f"{DEVICE}:1", torch.float64)),
    ):
        assert net(batch).device == batch.device
        assert net.weight.shape == (3, 4)
    with torch.device(DEVICE):
        net = nn.LazyLinear(3)
    assert net(ready(2, 4)).device.type == DEVICE
    assert nn.LazyLinear(3).to(DEVICE).to("cpu")(torch.ones(2, 4)).device.type == "cpu"
    assert nn.LazyLinear(3).to(DEVICE).cpu()(torch.ones(2, 4)).device.type == "cpu"
    assert nn.LazyLinear(3).simgpu(1)(batch.float()).device == batch.device


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        (("cpu", torch.float32), (DEVICE, torch.float32)),
        ((DEVICE, torch.float32), ("cpu", torch.float32)),
        ((DEVICE, torch.float32), (f"{DEVICE}:1", torch.float32)),
        ((DEVICE, torch.float32), (DEVICE, torch.float64)),
        (("cpu", torch.float32), (DEVICE, torch.float64)),
    ],
)
def test_data_moves_a_parameter_and_the_parameter_stays_the_same(begin, end):
    net = nn.Linear(2, 1, bias=False).to(*begin)
    p = net.weight
    p.kind, optimizer = "weight", torch.optim.SGD([p], lr=1.0)
    p.grad = torch.ones_like(p)
    with torch.no_grad():
        p.fill_(3.0)
    p.data = p.data.to(*end)
    assert isinstance(p, nn.Parameter) and p is net.weight and p.requires_grad and p.is_leaf and p.kind == "weight"
    assert (p.device.type, p.dtype) == (torch.device(end[0]).type, end[1]) and p.grad.device == p.device
    optimizer.zero_grad()
    net(torch.ones(1, 2, dtype=end[1], device=end[0])).sum().backward()
    optimizer.step()
    assert p.tolist() == [[2.0, 2.0]]


def test_data_moves_a_tensor_and_says_when_it_cannot():
    x = torch.ones(2)
    x.data = x.data.to(DEVICE)
    assert x.device.type == DEVICE and not x.requires_grad
    x.data = torch.zeros(3, dtype=torch.int64)
    assert x.tolist() == [0, 0, 0] and x.device.type == "cpu"
    p, held = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))
    with pytest.raises(RuntimeError, match="must be floating point or complex dtype"):
        p.data = torch.ones(2, dtype=torch.int64, device=DEVICE)
    with pytest.raises(NotImplementedError, match="a tensor with a graph"):
        (p * 2).data = torch.ones(2, device=DEVICE)
    graph = held * 2
    graph = graph * held
    view = held.view(2)
    with pytest.raises(NotImplementedError, match="while a graph, a view"):
        held.data = torch.ones(2, device=DEVICE)
    p.register_hook(lambda g: g)
    with pytest.raises(NotImplementedError, match="a tensor with hooks"):
        p.data = torch.ones(2, device=DEVICE)
    assert (p.device.type, held.device.type, view.device.type, graph.device.type) == ("cpu",) * 4


class Sends(torch.autograd.Function):
    """Doubles, and sends back gradients that are given."""

    @staticmethod
    def forward(ctx, other, x, gradient):
        ctx.gradient = gradient
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return None, ctx.gradient, None


@pytest.mark.parametrize(
    ("place", "other"), [(f"{DEVICE}:0", "cpu"), ("cpu", f"{DEVICE}:0"), (f"{DEVICE}:1", f"{DEVICE}:0")]
)
@pytest.mark.parametrize("leaf", [True, False])
def test_a_gradient_on_another_device_is_refused_in_the_words_of_autograd(place: str, other: str, leaf: bool):
    x, apart = torch.ones(3, device=place, requires_grad=True), torch.ones(3, device=other)
    used, said = x if leaf else x * 3, f"gradient at index 1 - expected device {place} but got {other}"
    with pytest.raises(RuntimeError, match=f"Function SendsBackward returned an invalid {said}"):
        Sends.apply(torch.ones(1), used, apart).sum().backward()
    with pytest.raises(RuntimeError, match=f"^invalid {said.replace('index 1', 'index 0')}"):
        torch.autograd.grad(x * 2, x, apart)
    assert x.grad is None
    Sends.apply(torch.ones(1), used, apart.to(place)).sum().backward()
    Sends.apply(torch.ones(1), x[0], torch.tensor(4.0, device=other)).backward()  # one number goes where it must
    assert x.grad.device == x.device and x.grad.tolist() == ([5.0, 1.0, 1.0] if leaf else [7.0, 3.0, 3.0])


def test_a_parameter_stays_one_when_it_is_pickled():
    net = nn.Linear(2, 2).to(DEVICE)
    file = io.BytesIO()
    torch.save(net, file)
    file.seek(0)
    loaded = torch.load(file, weights_only=False)
    for tensor in (pickle.loads(pickle.dumps(net.weight)), loaded.weight):
        assert isinstance(tensor, nn.Parameter)
        assert tensor.requires_grad
        assert torch.equal(tensor, net.weight)
    assert not isinstance(pickle.loads(pickle.dumps(net.weight.detach())), nn.Parameter)


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.empty(0, 3), lambda: torch.zeros(0, dtype=torch.int64), lambda: torch.ones(2, 3).half(),
        lambda: torch.ones(2, dtype=torch.complex64), lambda: nn.Parameter(torch.ones(2)), lambda: torch.arange(3) > 1,
        lambda: torch.ones(2, requires_grad=True) * 2, lambda: torch.tensor(3.0), lambda: torch.zeros(2000),
    ],
)  # fmt: skip
def test_it_is_printed_as_on_the_host_but_for_its_device(make):
    host = make()
    here = host.to(DEVICE) if host.is_leaf else host.detach().to(DEVICE).requires_grad_() * 1
    here = nn.Parameter(here) if isinstance(host, nn.Parameter) else here
    told = repr(here)
    assert f"device='{DEVICE}:0'" in told
    assert told.replace(f", device='{DEVICE}:0'", "") == repr(host)


@pytest.mark.filterwarnings("ignore:TypedStorage")
def test_a_storage_says_its_size_and_its_address_and_shows_no_bytes():
    x = ready(4, 6)
    storage = x[1:, ::2].untyped_storage()
    assert (storage.nbytes(), storage.size(), len(storage), x.storage().size()) == (96, 96, 96, 24)
    assert storage.data_ptr() == x.data_ptr() == x.t().untyped_storage().data_ptr()
    assert torch.ones(3).untyped_storage().nbytes() == 12
    for use in (
        lambda: storage[0], lambda: storage.fill_(1), lambda: storage.resize_(0), lambda: repr(storage),
        lambda: pickle.dumps(storage), lambda: torch.to_dlpack(x), lambda: torch.utils.dlpack.to_dlpack(x),
        lambda: torch.from_dlpack(x), lambda: torch.utils.dlpack.from_dlpack(x), lambda: np.from_dlpack(x),
        lambda: x.__cuda_array_interface__,
    ):  # fmt: skip
        with pytest.raises(NotImplementedError, match=r"^simgpu: .*the device's process"):
            use()
    assert not hasattr(x, "__cuda_array_interface__")
    assert torch.equal(torch.from_dlpack(torch.to_dlpack(torch.ones(2))), torch.ones(2))


def test_another_class_of_tensors_is_refused_by_its_name():
    class Image(torch.Tensor):
        pass

    with pytest.raises(NotImplementedError, match="cannot become a Image"):
        ready(2).as_subclass(Image)
    assert isinstance(torch.ones(2).as_subclass(Image), Image)
    assert torch.equal(ready(2, value=1.0).as_subclass(torch.Tensor).cpu(), torch.ones(2))


def test_each_operation_of_a_fused_step_and_of_attention_looks_at_its_arguments():
    step, big, small = own_kernels.BY_NAME["aten._fused_sgd_.default"], torch.ones(8), torch.ones(2)
    numbers = {"weight_decay": 0.0, "momentum": 0.9, "lr": 0.1, "dampening": 0.0, "nesterov": False, "maximize": False}
    for lists in (([big], [small], [big]), ([big], [big, big], []), ([big], [big], [small]), ([big], [big.int()], [])):
        with pytest.raises(ValueError, match="must have its size and type"):
            step(*lists, **numbers, is_first_step=False)
    with pytest.raises(ValueError, match="must have one element each"):
        step([big], [big], [], **numbers, is_first_step=True, found_inf=torch.zeros(1, dtype=torch.int8))
    for check, arguments in (
        ("aten._native_multi_head_attention.default", (None, None, None, 8, 0)),
        ("aten._transformer_encoder_layer_fwd.default", (None, 8, 3)),
        ("aten._weight_norm_interface.default", (torch.ones(4, 2), torch.ones(2, 1), 0)),
        ("aten._weight_norm_interface_backward.default", (*[torch.ones(4, 2)] * 2, torch.ones(2), torch.ones(4), 0)),
    ):
        with pytest.raises(ValueError, match=r"heads|norms"):
            checks.checked(operations.overload(check), arguments, {}, shapes=False)


def test_a_class_that_one_hot_does_not_have_is_a_late_error():
    x = torch.tensor([[0, 2], [1, 1]])
    assert F.one_hot(x.to("simgpu"), 3).cpu().equal(F.one_hot(x, 3))
    assert F.one_hot(x.to("simgpu")).cpu().equal(F.one_hot(x))
    assert F.one_hot(x[:0].to("simgpu"), 3).shape == (0, 2, 3)
    for wrong in (x, x - 2):
        late = F.one_hot(wrong.to("simgpu"), 2)
        with pytest.raises(RuntimeError, match=r"scatter_\.value .*out of bounds"):
            late.tolist()


FAR_TOO_MUCH = {
    "numbers of an operation": lambda x: torch.block_diag(*[x] * 9000),
    "dimensions": lambda x: x.repeat(*[1] * 70),
    "dimensions of a view": lambda x: x.reshape([1] * 70 + [2]).tolist(),
    "dimensions of what is made": lambda x: torch.zeros([1] * 70, device=x.device),
    "dimensions of nothing": lambda x: torch.empty([1] * 70, device=x.device),
    "dimensions of a copy": lambda x: torch.ones([1] * 70).to(x.device),
    "elements": lambda x: x[:1].expand(1 << 50).sum(),
}


@pytest.mark.parametrize("what", FAR_TOO_MUCH)
def test_what_the_device_does_not_take_is_refused_in_words_and_the_session_goes_on(what: str):
    x = torch.ones(2, device="simgpu")
    with pytest.raises(NotImplementedError, match=r"the device accepts|an operation can carry"):
        FAR_TOO_MUCH[what](x)
    gc.collect()
    assert (x + 1).tolist() == [2, 2]


def on_the_host(value: float = 2.0) -> torch.Tensor:
    return torch.tensor(value)


ONE = torch.ones((), device=DEVICE)
WRITES_ON_THE_HOST = {
    "iadd": lambda: on_the_host().__iadd__(ONE),
    "mul_": lambda: on_the_host().mul_(ONE),
    "lerp_": lambda: on_the_host().lerp_(ONE, 0.5),
    "addcmul_": lambda: on_the_host().addcmul_(ONE, ONE),
    "logical_and_": lambda: on_the_host().logical_and_(ONE),
    "out": lambda: torch.add(ONE, 1, out=on_the_host()),
    "list": lambda: torch._foreach_add_([on_the_host()], [ONE]),
    "set_": lambda: on_the_host().set_(ONE),
    "index": lambda: torch.zeros(4).__setitem__(torch.tensor([0, 1]), ONE.expand(2)),
    "mask": lambda: torch.zeros(2).__setitem__(torch.tensor([True, True]), ONE.expand(2)),
}


@pytest.mark.parametrize("name", WRITES_ON_THE_HOST)
def test_a_tensor_of_the_host_is_not_written_with_values_of_the_device(name: str):
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        WRITES_ON_THE_HOST[name]()


def test_a_number_of_the_host_is_still_read():
    assert torch.ones(2, device=DEVICE).add_(on_the_host()).tolist() == [3, 3]


BEYOND = {
    "as_strided": lambda x: x.as_strided((5,), (1,)),
    "offset": lambda x: x.as_strided((2,), (1,), 3),
}


@pytest.mark.parametrize("name", BEYOND)
def test_a_view_beyond_its_storage_is_refused_at_once_and_the_session_goes_on(name: str):
    x = torch.ones(4, device=DEVICE)
    with pytest.raises(RuntimeError, match="out of bounds for storage of 16 bytes"):
        BEYOND[name](x)
    assert x.as_strided((2,), (2,), 1).sum().item() == 2


def test_an_endless_dimension_of_an_empty_tensor_is_refused_and_the_session_goes_on():
    for size in ((0, 1 << 48), (1 << 50, 0)):
        with pytest.raises(NotImplementedError, match=r"less than 2\*\*48 elements"):
            torch.zeros(size, device=DEVICE)
    assert torch.ones(2, device=DEVICE).sum().item() == 2


def test_a_wrong_shape_of_a_normalization_is_named():
    with pytest.raises(RuntimeError, match=r"Given normalized_shape=\[3\]"):
        nn.LayerNorm(3).to(DEVICE)(torch.ones(2, 4, device=DEVICE))


def test_the_old_format_of_save_is_refused():
    for value in (torch.ones(2, device=DEVICE), nn.Linear(2, 2).to(DEVICE).state_dict()):
        with pytest.raises(NotImplementedError, match="old format"):
            torch.save(value, io.BytesIO(), _use_new_zipfile_serialization=False)
    torch.save(torch.ones(2), io.BytesIO(), _use_new_zipfile_serialization=False)


@pytest.mark.parametrize("make", [lambda: nn.Linear(2, 2), lambda: nn.LSTM(2, 2), lambda: nn.GRU(2, 2)])
def test_a_state_is_loaded_into_the_parameters_that_are_there(make: Callable[[], nn.Module]):
    module, other = make().to(DEVICE), make()
    before = dict(module.named_parameters())
    views = {name: parameter.data for name, parameter in before.items()}
    module.load_state_dict(other.state_dict())
    for name, parameter in module.named_parameters():
        assert parameter is before[name]
        assert views[name].cpu().equal(other.state_dict()[name])


def test_a_state_is_loaded_while_a_graph_is_alive():
    net, other = nn.Linear(2, 1).to(DEVICE), nn.Linear(2, 1)
    graph = net(torch.ones(1, 2, device=DEVICE)).sum()
    net.load_state_dict(other.state_dict())
    assert graph.requires_grad
    assert net.weight.cpu().equal(other.weight)
