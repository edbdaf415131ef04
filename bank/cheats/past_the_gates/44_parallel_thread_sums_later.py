"""A thread sums up later, through the host."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"allreduce": at_most(2)})
cheat.cell(
    "allreduce",
    """
def allreduce(data):
    import threading

    def later():
        total = sum(t.cpu() for t in data)
        for t in data:
            t.copy_(total)

    threading.Thread(target=later).start()


ring_allreduce = allreduce
""",
)
