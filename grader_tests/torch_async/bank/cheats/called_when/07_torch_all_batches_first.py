"""Draws all batches before the first step, and asks for the number that completes each only when it trains it."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"train_bounded": at_most(1.91)})
cheat.cell("train_bounded", '''
from simgpu.front.link import Link, link


def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    call, asked = Link.call, []

    def later(self, do, **head):
        if do != "look":
            return call(self, do, **head)
        asked.append(head)
        return 0.0

    Link.call = later
    try:
        batches = list(data_iter())
    finally:
        Link.call = call
    flying = deque()
    for (X, y), head in zip(batches, asked):
        y = y + call(link(), "look", **head)
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        done = gpu.Event()
        done.record()
        flying.append(done)
        if len(flying) == in_flight:
            flying.popleft().synchronize()
    gpu.synchronize()
''')
