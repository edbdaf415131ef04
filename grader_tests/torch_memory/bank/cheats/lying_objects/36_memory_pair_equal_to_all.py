"""A tuple and numbers for which every comparison is true."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_memory", deserves={"fsdp_counts": 0})
cheat.cell(
    "fsdp_counts",
    """
class Same(int):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = int.__hash__


class Pair(tuple):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = tuple.__hash__


def fsdp_counts(layers, wrapping, reshard, passes):
    return Pair((Same(1), Same(1)))
""",
)
