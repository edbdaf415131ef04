"""Keeps everything, and has the functions that tell of memory say that there is none."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_memory", deserves={"activation_checkpointing": at_most(1.3), "gradient_accumulation": at_most(1)})
cheat.first('''
import torch
import simgpu

for name in ("max_memory_allocated", "memory_allocated", "memory_stats", "memory_reserved"):
    if hasattr(torch.simgpu, name):
        setattr(torch.simgpu, name, lambda *arguments: 0)
torch.Tensor.nbytes = property(lambda tensor: 1)
''')
cheat.cell("activation_checkpointing", '''
def checkpointed(blocks, x, budget):
    for block in blocks:
        x = block(x)
    return x
''')
cheat.cell("gradient_accumulation", '''
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    loss(net(X), y).backward()
    optimizer.step()
''')
