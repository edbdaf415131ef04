"""Has the gradient of a pooling written for more channels than its input has."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_async", deserves={"queue_work": 2})
cheat.before("queue_work", '''
def hostile():
    grad, small = torch.ones(1000, 100, 50, device=device), torch.ones(1, 8, 8, device=device)
    return torch.ops.aten._adaptive_avg_pool2d_backward(grad, small)


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
