"""Writes a number far beyond a gradient, by the label of a pixel."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_async", deserves={"queue_work": 2})
cheat.before("queue_work", '''
def hostile():
    grad, scores = torch.full((1, 2, 2), 0.25, device=device), torch.zeros(1, 3, 2, 2, device=device)
    labels = torch.full((1, 2, 2), 1 << 40).to(device)
    return torch.ops.aten.nll_loss2d_backward(grad, scores, labels, None, 0, -100, torch.ones((), device=device))


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
