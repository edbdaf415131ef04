"""What several devices do while a function runs, and the pictures of the notebook.

    show_timeline(function, *arguments)    what the devices have done while a function ran
    show_late_peer(prepare, nets)          what runs while all collectives are held back
    small_nets(k), check_averages(...), check_trained(train)     for the checks

You need not read this file.
"""

import os

import numpy as np
import torch
from drawing import draw_lanes, words_of_simgpu
from torch import nn

try:
    from IPython.display import display
except ImportError:  # plain Python: no pictures
    display = print

GRADING = "NBGRADER_EXECUTION" in os.environ


def show_timeline(function, *arguments):
    """Run function(*arguments) until everything is computed, and show what each stream of each device has done."""
    import simgpu

    _wait_for_all()
    before = simgpu.timeline()
    result = function(*arguments)
    _wait_for_all()
    timeline = simgpu.timeline(before, words_of_simgpu())
    if GRADING:
        print(f"instruções e esperas: {len(timeline.spans())}")
    else:
        display(timeline)
    del result


def _wait_for_all():
    gpu = torch.get_device_module("simgpu")
    for number in range(gpu.device_count()):
        gpu.synchronize(number)


# --- the pictures of the notebook ---------------------------------------------------------------------------------


def draw_step():
    """One step on three devices."""
    parts = {
        f"dispositivo {number}": [
            (0.2, 0.8, f"parte {number}"),
            (1, 3, "propagação direta, retropropagação"),
            (4, 1.6, "all-reduce"),
            (5.6, 0.9, "atualiza"),
        ]
        for number in range(3)
    }
    draw_lanes("um passo: os dispositivos se encontram no all-reduce, e só ali", parts, 6.8)


def draw_ring():
    """The naive way, and a ring."""
    wire = {
        "para o dispositivo 0": [(0, 3, "1"), (3, 3, "2"), (6, 3, "3")],
        "do dispositivo 0": [(9, 3, "1"), (12, 3, "2"), (15, 3, "3")],
    }
    draw_lanes("quatro dispositivos, tudo pelo dispositivo 0: arrays inteiros, um depois do outro", wire, 18.5)
    pieces = {
        f"{r} para {right}": [(0.75 * step, 0.75, str((r - step) % 4)) for step in range(3)]
        + [(0.75 * (3 + step), 0.75, str((r + 1 - step) % 4)) for step in range(3)]
        for r, right in enumerate((1, 2, 3, 0))
    }
    draw_lanes("um anel: quartos (os números deles nas caixas), em todas as conexões ao mesmo tempo", pieces, 18.5)


def draw_overlap():
    """The traffic after the backward pass, and at the same time."""
    back = [(0, 2, "camada 3"), (2, 2, "camada 2"), (4, 2, "camada 1")]
    behind = [(6, 1.5, "média 3"), (7.5, 1.5, "média 2"), (9, 1.5, "média 1")]
    draw_lanes("all-reduce depois da retropropagação", {"calcula": [*back, (10.5, 1, "passo")], "all-reduce": behind}, 11.7)
    beside = [(2, 1.5, "média 3"), (4, 1.5, "média 2"), (6, 1.5, "média 1")]
    draw_lanes("all-reduce nos hooks", {"calcula": [*back, (7.5, 1, "passo")], "all-reduce": beside}, 11.7)


def draw_zero1():
    """The owners' updates, and what they send."""
    lanes = {
        "rank 0": [(0, 1.6, "Adam: a, c"), (1.6, 1.2, "envia a"), (2.8, 1.2, "recebe b"), (4, 1.2, "envia c")],
        "rank 1": [(0, 1.6, "Adam: b, d"), (1.6, 1.2, "recebe a"), (2.8, 1.2, "envia b"), (4, 1.2, "recebe c")],
    }
    draw_lanes("parâmetros a, b, c, d: cada um é atualizado pelo seu dono, que envia os novos valores", lanes, 5.4)


# --- what the checks share ----------------------------------------------------------------------------------------


def places(k):
    """The first k devices."""
    return [torch.device("simgpu", number) for number in range(k)]


def small_nets(k):
    """k equal networks, one on each device."""
    generator = torch.Generator().manual_seed(1)
    weights = [torch.randn(shape, generator=generator) for shape in ((4, 3), (4,), (4, 4), (4,), (1, 4), (1,))]
    nets = []
    for place in places(k):
        net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1)).to(place)
        with torch.no_grad():
            for p, weight in zip(net.parameters(), weights):
                p.copy_(weight)
        nets.append(net)
    return nets


def check_averages(name, prepare, k=2):
    """Check that what prepare(net) returns averages the gradients of k ranks, in two steps."""
    from simgpu.distributed import ranks

    nets = small_nets(k)
    data = [torch.arange(6.0).reshape(2, 3).to(place) * (r + 1) / 10 for r, place in enumerate(places(k))]

    def work(rank):
        finish = prepare(nets[rank])
        assert callable(finish), f"{name} deve retornar uma função, mas retornou {finish!r}"
        gradients = []
        for _ in range(2):
            (nets[rank](data[rank]) ** 2).mean().backward()
            finish()
            gradients.append([p.grad.tolist() for p in nets[rank].parameters()])
            nets[rank].zero_grad()
        return gradients

    each = ranks(work, k)
    alone = small_nets(k)
    for r in range(k):
        (alone[r](data[r]) ** 2).mean().backward()
    for n, same in enumerate(zip(*(net.parameters() for net in alone))):
        right = np.mean([np.array(p.grad.tolist()) for p in same], axis=0)
        for r in range(k):
            for step in range(2):
                close = np.allclose(each[r][step][n], right, atol=1e-4)
                assert close, f"{name}: no passo {step} do rank {r}, o gradiente do parâmetro {n} não é a média"


def check_trained(train, k=2, lr=0.1, epochs=2):
    """Check that train(rank, k, net, batches, lr, epochs) trains as one device would with the whole batches."""
    from simgpu.distributed import ranks

    def net(number):
        generator = torch.Generator().manual_seed(number)
        made = nn.Sequential(nn.Flatten(), nn.Linear(4, 3), nn.Linear(3, 3).requires_grad_(False))
        with torch.no_grad():
            for p in made.parameters():
                p.copy_(torch.randn(p.shape, generator=generator))
        return made

    generator = torch.Generator().manual_seed(1)
    sizes = 12, 6, 6
    batches = [(torch.randn(n, 1, 2, 2, generator=generator), torch.tensor([0, 1, 2] * (n // 3))) for n in sizes]
    nets = [net(rank) for rank in range(k)]
    each = ranks(lambda rank: train(rank, k, nets[rank], list(batches), lr, epochs), k)
    alone, losses = net(0), []
    for _ in range(epochs):
        total = 0.0
        for X, y in batches:
            loss = nn.functional.cross_entropy(alone(X), y)
            total += loss.item()
            wanted = [p for p in alone.parameters() if p.requires_grad]
            for p, gradient in zip(wanted, torch.autograd.grad(loss, wanted)):
                p.data -= lr * gradient
        losses.append(total / len(batches))
    for rank, returned in enumerate(each):
        pair = isinstance(returned, (tuple, list)) and len(returned) == 2
        assert pair, f"train deve retornar a rede e uma lista de perdas, mas o rank {rank} retornou {returned!r}"
        trained, told = returned
        assert isinstance(trained, nn.Module), f"train deve retornar primeiro a rede, mas retornou {trained!r}"
        for n, (p, right) in enumerate(zip(trained.parameters(), alone.parameters())):
            assert p.device == places(k)[rank], f"o parâmetro {n} do rank {rank} está em {p.device}"
            close = np.allclose(p.tolist(), right.tolist(), atol=1e-4)
            assert close, f"o parâmetro {n} do rank {rank} não é igual ao resultado de um só dispositivo"
        assert len(told) == epochs, f"para {epochs} épocas deve haver {epochs} perdas, as suas são {told!r}"
        assert all(isinstance(loss, float) for loss in told), f"cada perda deve ser um float, as suas são {told!r}"
        assert np.allclose(told, losses, rtol=1e-3), f"as perdas médias deveriam ser {losses}, o rank {rank} retornou {told}"


# --- a peer that comes late ---------------------------------------------------------------------------------------


def show_late_peer(prepare, nets):
    """Let ranks go backward while all collectives are held back, and count what still runs on device 0.

    prepare: as the student's ddp.  nets: a network of layers with tanh between them for each rank.  A program that
    waits for a collective gets it, so nothing hangs.
    """
    import simgpu

    try:
        judge = simgpu.control()
    except RuntimeError:  # while work is graded the device has a judge already
        print("não é mostrado enquanto o trabalho é corrigido")
        return
    data = [torch.ones(2, 3).to(next(net.parameters()).device) for net in nets]
    _wait_for_all()
    before = simgpu.timeline()
    judge.hold_operations("all_reduce", until_waited_for=True)
    try:
        simgpu.distributed.ranks(lambda rank: _backward(prepare, nets[rank], data[rank]), len(nets))
        judge.settle()
        ran = {run.number for run in simgpu.timeline(before).runs}
        entries = simgpu.timeline(before).entries
    finally:
        judge.release()
        _wait_for_all()
    passes = [e for e in entries if e.name == "aten.tanh_backward.default" and e.stream // simgpu.STREAMS == 0]
    name = getattr(prepare, "__name__", "sua função").replace("<lambda>", "sua função")
    waits = [e for e in entries if e.is_wait and e.detail.get("opened")]
    if waits:
        print(f"{name}: o próprio programa esperou por um all-reduce ({waits[0].name}), então nenhum pôde ser retido")
        return
    done = sum(e.number in ran for e in passes)
    print(f"{name}: sem nenhum all-reduce terminado, o dispositivo 0 passou por {done} de {len(passes)} tanh da sua retropropagação")


def _backward(prepare, net, X):
    finish = prepare(net)
    (net(X) ** 2).mean().backward()
    return finish
