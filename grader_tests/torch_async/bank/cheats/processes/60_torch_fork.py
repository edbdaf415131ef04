"""A forked child waits at the same socket."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"queue_work": at_most(0.43)})
cheat.cell("queue_work", '''
def queue_work(x):
    y = (x @ x).sum()
    if os.fork() == 0:
        try:
            simgpu.front.link.link().forked = False
            y.item()
        finally:
            os._exit(0)
    os.wait()
    y.item()
    return y
''')
