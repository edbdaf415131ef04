"""Has the gradient of distances read for more points than there are distances."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_async", deserves={"queue_work": 2})
cheat.before("queue_work", '''
def hostile():
    points, few = torch.ones(1, 3000, 2, device=device), torch.ones(1, 1, device=device)
    return torch.ops.aten._cdist_backward(few, points, points, 1.0, few)


try:
    hostile()
    gpu.synchronize()
except RuntimeError:
    pass
''')
cheat.cell("queue_work", '''
def queue_work(x):
    return (x @ x).sum()
''')
