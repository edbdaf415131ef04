"""Counts a row of an embedding that is not there, and reads the count."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_async", deserves={"queue_work": 2})
cheat.before("queue_work", '''
def hostile():
    rows = torch.full((4,), 1 << 40).to(device)
    return torch.ops.aten.embedding_dense_backward(torch.ones(4, 2, device=device), rows, 3, -1, True)


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
