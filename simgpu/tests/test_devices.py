"""Several devices in one process."""

import copy
import io
import threading

import pytest
import torch
import torch.nn.functional as F
from device import DEVICE, gpu, judge, logged, on, value, wait_everywhere
from simgpu.wire import STREAMS
from torch import nn
from torch.utils.checkpoint import checkpoint

NOTES = "docs.pytorch.org/docs/stable/notes/cuda.html"
PLACES = {
    "factory": (1, lambda x0, x1, host: torch.ones(3, device="simgpu:1")),
    "index": (2, lambda x0, x1, host: torch.empty(3, device=2)),
    "arange": (1, lambda x0, x1, host: torch.arange(3, device="simgpu:1")),
    "randn": (3, lambda x0, x1, host: torch.randn(3, device="simgpu:3")),
    "tensor": (1, lambda x0, x1, host: torch.tensor([1.0], device="simgpu:1")),
    "to": (1, lambda x0, x1, host: x0.to("simgpu:1")),
    "back": (0, lambda x0, x1, host: x1.to("simgpu:0")),
    "to like": (0, lambda x0, x1, host: x1.to(x0)),
    "to with dtype": (1, lambda x0, x1, host: x0.to(x1.device, torch.float64)),
    "from host": (1, lambda x0, x1, host: host.to("simgpu:1")),
    "method": (1, lambda x0, x1, host: host.simgpu(1)),
    "host to index": (1, lambda x0, x1, host: host.to(1)),
    "plain name": (0, lambda x0, x1, host: x1.to("simgpu")),
    "empty_like": (1, lambda x0, x1, host: torch.empty_like(x1)),
    "zeros_like": (1, lambda x0, x1, host: torch.zeros_like(x1)),
    "rand_like": (1, lambda x0, x1, host: torch.rand_like(x1)),
    "full_like": (2, lambda x0, x1, host: torch.full_like(x1, 2, device="simgpu:2")),
    "new_zeros": (1, lambda x0, x1, host: x1.new_zeros(3)),
    "new_tensor": (1, lambda x0, x1, host: x1.new_tensor([1.0])),
    "new_empty": (2, lambda x0, x1, host: x1.new_empty(3, device="simgpu:2")),
    "operation": (1, lambda x0, x1, host: (x1 + 1).t()[1:].sum()),
    "clone": (1, lambda x0, x1, host: x1.detach().clone().double()),
    "module": (1, lambda x0, x1, host: nn.Linear(2, 2).to("simgpu:1").weight),
    "module made there": (1, lambda x0, x1, host: nn.Linear(2, 2, device="simgpu:1").weight),
    "deepcopy": (1, lambda x0, x1, host: copy.deepcopy(x1)),
}


@pytest.mark.parametrize("name", PLACES)
def test_says_where(name: str):
    index, make = PLACES[name]
    tensor = make(on(0, 2, 3), on(1, 2, 3), torch.ones(2, 3))
    assert tensor.device == torch.device(f"simgpu:{index}")
    assert tensor.get_device() == index
    assert f"device='simgpu:{index}'" in repr(tensor)


@pytest.mark.cuda("each thread has its own current device; contexts change it", f"{NOTES}", "the same")
@pytest.mark.parametrize("scope", ["device", "accelerator", "stream", "torch.device"])
def test_a_context_changes_the_current_device(scope: str):
    x0, host = on(0, 2, 3), torch.ones(2, 3)
    made_in = {
        "device": lambda: gpu.device(1),
        "accelerator": lambda: torch.accelerator.device_index(1),
        "stream": lambda: gpu.stream(gpu.Stream(device=1)),
        "torch.device": lambda: torch.device("simgpu:1"),
    }
    with made_in[scope]():
        if scope == "torch.device":
            made = [torch.ones(3), torch.tensor([1]), nn.Linear(2, 2).weight]
        else:
            made = [
                torch.ones(3, device=DEVICE), torch.tensor([1], device=DEVICE), host.to(DEVICE), x0.to(DEVICE),
                nn.Linear(2, 2).to(DEVICE).weight, host.simgpu(), torch.arange(3, device=DEVICE),
            ]  # fmt: skip
    assert [t.get_device() for t in made] == [1] * len(made)
    assert gpu.current_device() == 0


@pytest.mark.cuda("using a device that does not exist is an error", f"{NOTES}", "CUDA's message")
def test_a_device_that_is_not_there_is_refused():
    for work in (lambda: torch.ones(3, device="simgpu:7"), lambda: on(1, 2).to("simgpu:7"), lambda: gpu.set_device(7)):
        with pytest.raises(RuntimeError, match="invalid device ordinal 7; there are 4 devices"):
            work()


MIXED = {
    "add": lambda x0, x1: x0 + x1,
    "matmul": lambda x0, x1: x0 @ x1,
    "in place": lambda x0, x1: x0.add_(x1),
    "cat": lambda x0, x1: torch.cat([x0, x1]),
    "linear": lambda x0, x1: F.linear(x0, x1),
    "where": lambda x0, x1: torch.where(x0 > 0, x1, x1),
    "equal": lambda x0, x1: torch.equal(x0, x1),
    "a number": lambda x0, x1: x0 * x1.sum(),
}


@pytest.mark.cuda("one operation cannot mix tensors of two devices", f"{NOTES}", "CUDA's message, at once")
@pytest.mark.parametrize("name", MIXED)
def test_operations_that_mix_devices_are_refused_at_once(name: str):
    text = "Expected all tensors to be on the same device, but found at least two devices, simgpu:0 and simgpu:1!"
    with pytest.raises(RuntimeError, match=text):
        MIXED[name](on(0, 3, 3), on(1, 3, 3))


@pytest.mark.cuda("`synchronize(d)` waits for one device, and a stream belongs to one device", f"{NOTES}", "the same")
def test_streams_and_synchronize_are_of_one_device():
    a, b = on(0, 4, value=1.0), on(1, 4, value=1.0)
    judge.hold(device=0)
    _late, c = a + 1, b + 1
    gpu.synchronize(1)
    assert c.tolist() == [2.0] * 4
    assert gpu.current_stream(1).query()
    assert not gpu.current_stream(0).query()
    side = gpu.Stream(device=1)
    with gpu.stream(side):
        assert gpu.current_device() == 1
        assert gpu.current_stream() == side
        assert gpu.current_stream(0) == gpu.default_stream(0)


@pytest.mark.cuda(
    "peer copies do not block the host. They run on the source's stream, which first waits for the target's stream; "
    "afterwards the target's stream waits for the copy",
    "aten/src/ATen/native/cuda/Copy.cu copy_requires_temporaries/copy_kernel_cuda",
    "the same; the log calls it `peer copy`",
)
def test_copies_between_devices_are_asynchronous_and_ordered():
    x = on(0, 4, value=3.0)
    back = []
    entries = logged(lambda: back.append(((x * 2).to("simgpu:1") + 1).to("simgpu:0") * 10), until_waited_for=False)
    assert not [e for e in entries if e.is_wait]
    assert back[0].tolist() == [70.0] * 4
    for held in (0, 1):
        judge.hold(device=held)
        y = (x * 2).to("simgpu:1")
        z = y + 1
        judge.settle()
        assert value(z) is None
        judge.release()
        assert z.tolist() == [7.0] * 4
    y = on(1, 4, value=0.0)
    judge.hold(device=1)
    before = y + 1
    y.copy_(x)
    judge.release()
    assert before.tolist() == [1.0] * 4
    assert y.tolist() == [3.0] * 4
    start = judge.state().log
    _there = x.to("simgpu:1")
    commands = [(e.kind, e.stream // STREAMS) for e in judge.log(start) if e.is_command]
    assert commands == [("record", 1), ("stream wait", 0), ("peer", 0), ("record", 0), ("stream wait", 1)]


def test_the_log_says_how_much_a_peer_copy_takes_where():
    x, y = on(2, 4, 6), on(1, 8, value=0.0)

    def copies() -> None:
        x.to("simgpu:3")
        x[1:3].to("simgpu:0", torch.float64)
        y[:2].copy_(x[0, 0])

    told = [e.detail for e in logged(copies, until_waited_for=False) if e.kind == "peer"]
    assert [(d["target"], d["bytes"]) for d in told] == [(3, 96), (0, 96), (1, 8)]


def test_copies_between_devices_keep_layout_and_change_dtype():
    x = on(0, 4, 6)
    assert torch.equal(x.to("simgpu:1", torch.float64).cpu(), x.cpu().double())
    assert x.t().to("simgpu:1").stride() == (1, 6)
    y = on(0, 4, value=3.0)
    y[1:3] = on(1, 2, value=8.0)
    assert y.tolist() == [3.0, 8.0, 8.0, 3.0]


@pytest.mark.cuda(
    "an autograd graph may span several devices",
    f"{NOTES}",
    "the same, but the backward pass runs in the thread that calls `backward`",
)
def test_gradients_lie_where_their_tensors_lie():
    def work(d0: str, d1: str):
        a, b = torch.arange(6.0).view(2, 3).to(d0).requires_grad_(), torch.full((2, 3), 2.0).to(d1).requires_grad_()
        c, e = torch.ones(2, 3).to(d1).requires_grad_(), torch.ones(3).to(d1).requires_grad_()
        h = (a * 3).to(d1)
        out = (h * b).tanh().to(d0) + a
        into = torch.zeros(2, 3).to(d0)
        into.copy_(c * 2)
        into[0] = e * 5
        host = torch.zeros(2, 3)
        host.copy_(c.exp())
        loss = (out * into).sum() + (b.sin().cpu().sum() + host.sum()).to(d0) + c.double().sum().float().to(d0)
        loss.backward()
        return loss.detach(), a, b, c, e

    loss, *want = work("cpu", "cpu")
    got_loss, *got = work("simgpu:0", "simgpu:1")
    assert torch.equal(loss, got_loss.cpu())
    for w, g in zip(want, got, strict=True):
        assert g.grad.device == g.device
        assert torch.equal(w.grad, g.grad.cpu())


class Split(nn.Module):
    """A net whose halves lie on two devices."""

    def __init__(self, d0: str = "cpu", d1: str = "cpu") -> None:
        super().__init__()
        self.d0, self.d1 = d0, d1
        self.first = nn.Sequential(nn.Conv2d(1, 4, 5), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten()).to(
            d0
        )
        self.second = nn.Sequential(nn.Linear(4 * 4 * 4, 16), nn.ReLU(), nn.Linear(16, 10)).to(d1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(self.first(x).to(self.d1)).to(self.d0)


def train(d0: str, d1: str, make, via=lambda net, x: net(x)):
    torch.manual_seed(0)
    net = Split(d0, d1)
    optimizer = make(net.parameters())
    batches = [(torch.randn(4, 1, 12, 12).to(d0), torch.randint(0, 10, (4,)).to(d0)) for _ in range(2)]

    def steps() -> None:
        for x, y in batches:
            optimizer.zero_grad()
            F.cross_entropy(via(net, x), y).backward()
            nn.utils.clip_grad_value_(net.parameters(), 0.01)
            optimizer.step()

    if d0 == "cpu":
        steps()
    else:
        assert not [e for e in logged(steps, until_waited_for=False) if e.is_wait]
    return [v.cpu() for v in net.state_dict().values()], net


@pytest.mark.parametrize("foreach", [False, True])
@pytest.mark.parametrize("optimizer", [torch.optim.SGD, torch.optim.Adam])
def test_a_net_on_two_devices_trains_bit_equal_and_waits_for_nothing(optimizer, foreach: bool):
    def make(parameters):
        return optimizer(parameters, lr=0.01, foreach=foreach)

    want, _ = train("cpu", "cpu", make)
    got, net = train("simgpu:2", "simgpu:1", make)
    assert all(torch.equal(a, b) for a, b in zip(want, got, strict=True))
    assert {p.grad.device for p in net.parameters()} == {torch.device("simgpu:1"), torch.device("simgpu:2")}


@pytest.mark.parametrize("reentrant", [False, True])
def test_checkpoint_over_two_devices(reentrant: bool):
    def again(net: Split, x: torch.Tensor) -> torch.Tensor:
        if reentrant:
            return checkpoint(net, x.requires_grad_(), use_reentrant=True)
        return net.second(checkpoint(net.first, x, use_reentrant=False).to(net.d1)).to(net.d0)

    def make(parameters):
        return torch.optim.SGD(parameters, 0.1)

    want, _ = train("cpu", "cpu", make, again)
    got, _ = train("simgpu:0", "simgpu:1", make, again)
    assert all(torch.equal(a, b) for a, b in zip(want, got, strict=True))


def test_threads_go_backward_on_devices_of_their_own():
    def work(device: int, out: dict) -> None:
        gpu.set_device(device)
        x, w = torch.ones(16, 16).to(DEVICE), torch.eye(16).to(DEVICE).requires_grad_()
        for _ in range(5):
            w.grad = None
            (x @ w).tanh().sum().backward()
        out[device] = w.grad.cpu(), w.grad.device

    out: dict = {}
    threads = [threading.Thread(target=work, args=(d, out)) for d in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(torch.equal(out[d][0], out[0][0]) and out[d][1].index == d for d in range(4))
    assert gpu.current_device() == 0


def test_random_numbers_of_a_device_do_not_depend_on_the_others():
    def draw(devices: list[int]) -> dict[int, torch.Tensor]:
        torch.manual_seed(5)
        drawn = {d: [] for d in devices}
        for _ in range(3):
            for d in devices:
                drawn[d] += [torch.randn(50, device=f"simgpu:{d}"), F.dropout(torch.ones(50, device=f"simgpu:{d}"))]
        return {d: torch.cat(v).cpu() for d, v in drawn.items()}

    alone, together = draw([1]), draw([3, 0, 1, 2])
    assert torch.equal(alone[1], together[1])


@pytest.mark.cuda(
    "a saved tensor is loaded onto its device, or onto the device that `map_location` names",
    "docs.pytorch.org/docs/stable/generated/torch.load.html",
    "the same, but tensors that shared a storage have separate storages after loading",
)
@pytest.mark.parametrize(
    ("where", "want"),
    [
        (None, ["simgpu:0", "simgpu:1", "simgpu:3"]),
        ("cpu", ["cpu"] * 3),
        ("simgpu:2", ["simgpu:2"] * 3),
        ({"simgpu:1": "simgpu:0"}, ["simgpu:0", "simgpu:0", "simgpu:3"]),
        (lambda storage, place: storage, ["cpu"] * 3),
        (lambda storage, place: None, ["simgpu:0", "simgpu:1", "simgpu:3"]),
    ],
    ids=["none", "cpu", "device", "dict", "function", "function that leaves it"],
)
def test_saving_keeps_the_place_and_map_location_changes_it(where, want: list[str]):
    net = Split("simgpu:0", "simgpu:1")
    file = io.BytesIO()
    torch.save({"net": net.state_dict(), "x": on(3, 2)}, file)
    file.seek(0)
    loaded = torch.load(file, map_location=where, weights_only=True)
    assert [
        str(t.device) for t in (loaded["net"]["first.0.weight"], loaded["net"]["second.0.weight"], loaded["x"])
    ] == want
    other = Split("simgpu:1", "simgpu:0")
    other.load_state_dict(loaded["net"])
    assert all(torch.equal(a.cpu(), b.cpu()) for a, b in zip(net.parameters(), other.parameters(), strict=True))
    assert other.second[0].weight.get_device() == 0


def test_a_copy_of_a_net_lies_where_the_net_lies():
    net = Split("simgpu:0", "simgpu:1")
    twin = copy.deepcopy(net)
    assert [p.device for p in twin.parameters()] == [p.device for p in net.parameters()]
    assert {p.get_device() for p in twin.to("simgpu:3").parameters()} == {3}
    wait_everywhere()


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.second = nn.Linear(5, 4), nn.BatchNorm1d(4), nn.Linear(4, 2)
        self.phase = nn.Parameter(torch.ones(2, dtype=torch.complex64))

    def forward(self, x, *, scale=1.0):
        return self.second(self.norm(self.first(x)).relu()) * scale * self.phase.real


@pytest.mark.parametrize("place", ["cpu", "simgpu:0", "simgpu:2"])
def test_data_parallel_computes_what_its_parts_compute(place: str):
    net, x = Normed(), torch.randn(10, 5)
    parallel = nn.DataParallel(copy.deepcopy(net).to("simgpu:0"), device_ids=[0, 1, 3], output_device=2)
    out = parallel(x.to(place), scale=2.0)
    out.sum().backward()
    parts = [copy.deepcopy(net) for _ in range(3)]
    whole = torch.cat([part(piece, scale=2.0) for part, piece in zip(parts, x.split([4, 4, 2]), strict=True)])
    whole.sum().backward()
    assert str(out.device) == "simgpu:2"
    torch.testing.assert_close(out.cpu(), whole)
    for name, parameter in parallel.module.named_parameters():
        summed = sum(part.get_parameter(name).grad for part in parts)
        torch.testing.assert_close(parameter.grad.cpu(), summed, msg=name)
    torch.testing.assert_close(parallel.module.norm.running_mean.cpu(), parts[0].norm.running_mean)


def test_copies_among_devices_go_where_they_are_sent():
    comm, x, host = torch.nn.parallel.comm, on(1, 4, 2), torch.arange(8.0).view(4, 2)
    assert [str(t.device) for t in comm.scatter(host, [2, 0], [1, 3])] == ["simgpu:2", "simgpu:0"]
    assert [t.tolist() for t in comm.scatter(host, [2, 0], dim=1)] == [t.tolist() for t in host.chunk(2, 1)]
    outs = [torch.empty(1, 2, device="simgpu:3"), torch.empty(3, 2, device="simgpu:1")]
    assert comm.scatter(host, out=outs)[1].tolist() == host[1:].tolist()
    assert comm.gather([x, x + 1], destination=3).device.index == 3
    assert comm.gather([x, x + 1], dim=1, destination="cpu").shape == (4, 4)
    assert comm.gather(outs, out=torch.empty(4, 2)).tolist() == host.tolist()
    assert [t.tolist() for t in comm.broadcast(x, [0, 2])] == [x.tolist()] * 2
    assert comm.broadcast(x, out=[outs[0].new_empty(4, 2)])[0].tolist() == x.tolist()
    assert comm.reduce_add([x, x.to("simgpu:0")], 0).tolist() == (x * 2).tolist()
    with pytest.raises(RuntimeError, match="same length"):
        comm.scatter(host, [0, 1], [1, 1, 2])
