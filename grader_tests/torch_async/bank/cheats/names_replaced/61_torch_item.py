"""Gives tensors an item of its own, which waits under another name."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"queue_work": at_most(0.43)})
cheat.cell("queue_work", '''
torch.Tensor.item = lambda self: self.cpu().numpy()[()]


def queue_work(x):
    y = (x @ x).sum()
    y.item()
    return y
''')
