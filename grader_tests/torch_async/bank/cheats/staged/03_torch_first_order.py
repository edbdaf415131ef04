"""Downloads x, and uploads the first-order expansion of the answer around it: right wherever x is near enough."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"queue_work": at_most(0.15)})
cheat.cell("queue_work", '''
def queue_work(x):
    a = x.cpu()
    up = lambda t: t.contiguous().pin_memory().to(x.device, non_blocking=True)
    slope = (a.sum(0)[:, None] + a.sum(1)).t()
    return ((x - up(a)) * up(slope)).sum() + (a @ a).sum().item()
''')
