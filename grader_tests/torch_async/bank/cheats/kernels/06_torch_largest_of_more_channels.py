"""Has the places of largest elements taken for more channels than the input has."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_async", deserves={"queue_work": 2})
cheat.before("queue_work", '''
def hostile():
    grad, small = torch.ones(4000, 2, 2, device=device), torch.ones(1, 512, 512, device=device)
    places = torch.zeros(4000, 2, 2, dtype=torch.int64).to(device)
    return torch.ops.aten.adaptive_max_pool2d_backward(grad, small, places)


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
