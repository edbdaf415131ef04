"""How each exercise is called to see what a change of its code does: with small networks on the device."""

import torch
from torch import nn

GPU = torch.get_device_module("simgpu")
SIDE, ROWS, BLOCKS = 8, 12, 4
MANY = 256  # rows with which the activations need more memory than the parameters


def _call(probe, call):
    """Call code; what it returns in a list is read when it has returned."""
    GPU.synchronize()
    with probe.run() as seen:
        seen.mark("begin")
        returned = seen.call(call)
        seen.mark("end")
        with seen.traced():
            used = [result + 0 for result in returned or ()]
        found = probe.fix(used)
    return seen.report(results=None if seen.error else found)


def _blocks():
    return [nn.Sequential(nn.Linear(SIDE, SIDE, bias=False), nn.Tanh()).to("simgpu") for _ in range(BLOCKS)]


def activation_checkpointing(probe, seed):
    """Four blocks, forward and backward."""
    function = probe.find("checkpointed")
    torch.manual_seed(seed)
    blocks, x = _blocks(), torch.randn(MANY, SIDE).to("simgpu")

    def call():
        output = function(list(blocks), x, 1 << 20)
        output.sum().backward()
        return [output.detach(), *(block[0].weight.grad for block in blocks)]

    return _call(probe, call)


def gradient_accumulation(probe, seed):
    """Two batches of twelve examples, in three parts, with momentum."""
    function = probe.find("accumulate")
    torch.manual_seed(seed)
    net = nn.Sequential(*_blocks())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    batches = [[torch.randn(ROWS, SIDE).to("simgpu") for _ in range(2)] for _ in range(2)]

    def call():
        for X, y in batches:
            function(net, nn.HuberLoss(), optimizer, X, y, 3)
        return [one.detach() for one in net.parameters()]

    return _call(probe, call)
