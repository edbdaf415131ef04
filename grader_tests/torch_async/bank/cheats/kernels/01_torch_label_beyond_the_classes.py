"""Writes a number far beyond a gradient, by a label that is no class."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_async", deserves={"queue_work": 2})
cheat.before("queue_work", '''
def hostile():
    grad, scores = torch.full((2,), 0.25, device=device), torch.zeros(2, 3, device=device)
    labels = torch.tensor([0, 1 << 40]).to(device)
    return torch.ops.aten.nll_loss_backward(grad, scores, labels, None, 0, -100, torch.ones((), device=device))


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
