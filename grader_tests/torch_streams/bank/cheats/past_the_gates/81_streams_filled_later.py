"""Gives empty pinned buffers away; a thread fills them when all is over."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"copy_and_compute": at_most(1.5)})
cheat.cell("copy_and_compute", r'''
import threading


def copy_and_compute(xs, consume):
    """Gives empty pinned buffers away, and has a thread fill them when all is over."""
    hosts = [torch.empty(x.shape, pin_memory=True) for x in xs]
    ys = [x @ x for x in xs]

    def fill():
        for host, y in zip(hosts, ys):
            host.copy_(y, non_blocking=True)
        gpu.synchronize()

    for host in hosts:
        consume(host)
    threading.Thread(target=fill, daemon=True).start()
''')
