"""Replicas that are the parameters themselves, and say that they are others."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"broadcast_parameters": at_most(0.7)})
cheat.cell(
    "broadcast_parameters",
    """
class Place:
    def __init__(self, tensor, place):
        self.tensor, self.place = tensor, place

    is_leaf = requires_grad = True
    grad = None

    @property
    def device(self):
        return self.place

    def __getattr__(self, name):
        return getattr(self.tensor, name)

    def __mul__(self, other):
        return self.tensor * self.tensor


def broadcast_parameters(params, devices):
    return [[Place(p, device) for p in params] for device in devices]
""",
)
