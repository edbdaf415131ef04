"""How each exercise is called to see what a change of its code does: with small inputs, on two or three devices."""

import torch
import torch.nn.functional as F
from simgpu.distributed import ranks
from torch import nn

GPU = torch.get_device_module("simgpu")
WAIT = "gpu.synchronize()"
RANKS, ROWS = 2, 6


def _device(number):
    return torch.device("simgpu", number)


def _call(probe, call, threads=False):
    """Call code, which may run in a thread for each rank; what it returns in a list is read when it has returned."""
    for number in range(3):
        GPU.synchronize(_device(number))
    with probe.run() as seen:
        seen.mark("begin")
        returned = seen.call(call)
        seen.mark("end")
        with seen.traced():
            used = [result + 0 for result in returned or ()]
        found = probe.fix(used)
    return seen.report(results=None if seen.error else found, threads=threads)


def allreduce(probe, seed):
    """Both ways, for three devices."""
    one_way, ring = probe.find("allreduce"), probe.find("ring_allreduce")
    torch.manual_seed(seed)
    data = [[torch.randn(6, 2).to(_device(number)) for number in range(3)] for _ in range(2)]

    def call():
        one_way(data[0])
        ring(data[1])
        return [tensor for mine in data for tensor in mine]

    return _call(probe, call)


def broadcast_parameters(probe, seed):
    """Two parameters for three devices, their own among them."""
    function = probe.find("broadcast_parameters")
    torch.manual_seed(seed)
    params = [torch.randn(shape).to(_device(1)).requires_grad_() for shape in ((3, 2), (2,))]

    def call():
        replicas = function(list(params), [_device(number) for number in range(3)])
        return [one.detach() for replica in replicas for one in replica]

    return _call(probe, call)


def split_batch(probe, seed):
    """Nine examples in ordinary memory, for two devices."""
    function = probe.find("split_batch")
    torch.manual_seed(seed)
    X, y = torch.randn(9, 2), torch.randn(9)
    return _call(probe, lambda: [part for parts in function(X, y, [_device(0), _device(1)]) for part in parts])


def train_batch(probe, seed):
    """Two steps of two replicas of a linear model."""
    function = probe.find("train_batch")
    torch.manual_seed(seed)
    weights = torch.randn(2, 3), torch.randn(2)
    replicas = [[one.to(_device(number)).requires_grad_() for one in weights] for number in range(2)]
    batches = [(torch.randn(7, 3), torch.randn(7, 2)) for _ in range(2)]

    def call():
        for X, y in batches:
            function(X, y, replicas, lambda X, params: X @ params[0].t() + params[1], 0.1)
        return [one.detach() for replica in replicas for one in replica]

    return _call(probe, call)


def _steps(probe, seed, name, *arguments):
    """Two steps of two ranks, with what the function makes of each network."""
    prepare = probe.find(name)
    torch.manual_seed(seed)
    nets = [nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)) for _ in range(RANKS)]
    for net in nets[1:]:
        net.load_state_dict(nets[0].state_dict())
    nets = [net.to(_device(rank)) for rank, net in enumerate(nets)]
    data = [[torch.randn(ROWS, size).to(_device(rank)) for size in (4, 1)] for rank in range(RANKS)]

    def work(rank):
        (X, y), net = data[rank], nets[rank]
        finish = prepare(net, *arguments)
        for _ in range(2):
            F.mse_loss(net(X), y).backward()
            finish()
            with torch.no_grad():
                for parameter in net.parameters():
                    parameter.add_(parameter.grad, alpha=-0.1)
                    parameter.grad.zero_()

    def call():
        ranks(work, RANKS)
        return [one.detach() for net in nets for one in net.parameters()]

    return _call(probe, call, threads=True)


def ddp(probe, seed):
    """Two steps of two ranks."""
    return _steps(probe, seed, "ddp")


def bucketed(probe, seed):
    """Two steps of two ranks, with buckets of 80 bytes."""
    return _steps(probe, seed, "bucketed", 80)


def zero1(probe, seed):
    """Two steps of two ranks with three parameters each."""
    make = probe.find("zero1")
    torch.manual_seed(seed)
    values = [torch.randn(3, 2) for _ in range(3)]
    params = [[nn.Parameter(value.to(_device(rank))) for value in values] for rank in range(RANKS)]

    def work(rank):
        step = make(list(params[rank]), 0.1)
        for _ in range(2):
            for parameter in params[rank]:
                parameter.grad = parameter.detach() * 2
            step()

    def call():
        ranks(work, RANKS)
        return [one.detach() for mine in params for one in mine]

    return _call(probe, call, threads=True)


def train(probe, seed):
    """An epoch of three batches, on two ranks."""
    function = probe.find("train")
    torch.manual_seed(seed)
    batches = [(torch.randn(8, 3), torch.randint(4, (8,))) for _ in range(3)]
    nets = [nn.Linear(3, 4) for _ in range(RANKS)]

    def call():
        found = {}

        def work(rank):
            found[rank] = function(rank, RANKS, nets[rank], list(batches), 0.1, 1)

        ranks(work, RANKS)
        trained = [one.detach() for rank in range(RANKS) for one in found[rank][0].parameters()]
        return [*trained, *(loss for rank in range(RANKS) for loss in found[rank][1])]

    return _call(probe, call, threads=True)
