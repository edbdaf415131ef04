"""A thread sums up later, through the host."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"allreduce": at_most(2)})
cheat.cell(
    "allreduce",
    """
import threading


class Inside:
    "Ends with the call that holds it."

    def __init__(self):
        self.over = threading.Event()

    def __del__(self):
        self.over.set()


def allreduce(data):
    inside = Inside()
    over = inside.over

    def later():
        over.wait()
        total = sum(t.cpu() for t in data)
        for t in data:
            t.copy_(total)

    threading.Thread(target=later).start()


ring_allreduce = allreduce
""",
)
