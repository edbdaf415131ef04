"""How each exercise is called to see what a change of its code does: with small inputs that are pending."""

import torch
from torch import nn

GPU = torch.get_device_module("simgpu")
WAIT = "gpu.synchronize()"
BATCHES, ROWS, STEPS = 4, 4, 4


def _call(probe, call, inputs=()):
    """Call code with tensors that are pending; what it returns in a list is read when it has returned.

    Args:
        probe: Calls the code, and logs it.
        call: Gets the tensors, and returns tensors and numbers.
        inputs: What the tensors hold.
    """
    xs = [one.to("simgpu") for one in inputs]
    with probe.run() as seen:
        with seen.traced():
            xs = [x * 1 for x in xs]
        seen.mark("begin")
        returned = seen.call(call, *xs)
        seen.mark("end")
        with seen.traced():
            used = [result + 0 for result in returned or ()]
        found = probe.fix(used)
    return seen.report(results=None if seen.error else found)


def _matrix(seed, rows=3, columns=3):
    torch.manual_seed(seed)
    return torch.randn(rows, columns)


def queue_work(probe, seed):
    """One matrix."""
    function = probe.find("queue_work")
    return _call(probe, lambda x: [function(x)], [_matrix(seed)])


def loops(probe, seed):
    """Both loops, four steps each."""
    functions = [probe.find(name) for name in ("synchronous_loop", "asynchronous_loop")]
    return _call(probe, lambda x: [function(x, STEPS) for function in functions], [_matrix(seed)])


def sync_functions(probe, seed):
    """The functions that wait for one, for all and for the first, and the two that give numbers."""
    one, everything, first, listed, number = (
        probe.find(name) for name in ("wait_for_one", "wait_for_all", "wait_for_first", "as_list", "as_number")
    )

    def call(x):
        found = [one(x), *everything(x), *first(x)]
        return [*found, torch.tensor(listed(x)), number(x)]

    return _call(probe, call, [_matrix(seed)])


def benchmark(probe, seed):
    """Work of one product, and a clock that counts its readings."""
    function, readings = probe.find("benchmark"), []

    def clock():
        readings.append(len(readings))
        return float(len(readings))

    return _call(probe, lambda x: [function(lambda: x @ x, clock)], [_matrix(seed)])


def late_errors(probe, seed):
    """Three lines, none of which fails."""
    function = probe.find("late_errors")

    def call(x):
        raised, at_fault = function(lambda: [lambda: x @ x] * 3)
        return [-1 if one is None else one for one in (raised, at_fault)]

    return _call(probe, call, [_matrix(seed)])


def hidden_waits(probe, seed):
    """One step of quiet_step, with examples that have no label."""
    function = probe.find("quiet_step")
    torch.manual_seed(seed)
    net = nn.Linear(3, 1).to("simgpu")
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    X, y, history = torch.randn(6, 3), torch.tensor([1.0, -1.0, 2.0, 0.5, -1.0, 3.0]), []
    GPU.synchronize()

    def call():
        function(net, nn.MSELoss(reduction="none"), optimizer, X, y, history)
        return [*(one.detach() for one in net.parameters()), *history]

    return _call(probe, call)


def _training(probe, seed, name, *arguments):
    """Train a linear layer for an epoch of four batches."""
    function = probe.find(name)
    torch.manual_seed(seed)
    batches = [(torch.randn(ROWS, 2), torch.randn(ROWS, 1)) for _ in range(BATCHES)]
    net = nn.Linear(2, 1).to("simgpu")
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    GPU.synchronize()

    def call():
        returned = function(net, lambda: iter(batches), nn.MSELoss(reduction="none"), optimizer, *arguments)
        return [*(one.detach() for one in net.parameters()), *([] if returned is None else [returned])]

    return _call(probe, call)


def train_sync(probe, seed):
    """An epoch."""
    return _training(probe, seed, "train_sync")


def train_async(probe, seed):
    """An epoch."""
    return _training(probe, seed, "train_async")


def train_bounded(probe, seed):
    """An epoch with at most two batches in flight."""
    return _training(probe, seed, "train_bounded", 2)
