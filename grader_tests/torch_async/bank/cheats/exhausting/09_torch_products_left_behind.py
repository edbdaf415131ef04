"""Leaves hours of products in the device's queue after its last cell."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_async", deserves={"benchmark": 2}, solves=["benchmark"])
cheat.last(r'''
benchmark_first = benchmark
for _ in range(200):
    a = torch.rand(3000, 3000, device=device)
    for _ in range(200):
        a = a @ a
''')
