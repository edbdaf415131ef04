"""Small copies go round in a ring for show; the sum is made at one device with storages swapped."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"allreduce": at_most(2)})
cheat.cell(
    "allreduce",
    """
def allreduce(data):
    total = sum(t.to(data[0].device) for t in data)
    for t in data:
        t.copy_(total)


def ring_allreduce(data):
    k = len(data)
    if k == 1:
        return
    old = [t.clone() for t in data]
    for step in range(2 * (k - 1)):
        for r in range(k):
            piece = old[r].tensor_split(k)[(r - step) % k]
            piece.to(data[(r + 1) % k].device)
    allreduce(data)
""",
)
