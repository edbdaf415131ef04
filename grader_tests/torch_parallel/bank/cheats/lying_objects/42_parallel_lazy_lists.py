"""A lazy list: a copy is made when somebody looks."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"broadcast_parameters": at_most(1)})
cheat.cell(
    "broadcast_parameters",
    """
class Lazy(list):
    def __init__(self, params, device):
        super().__init__(params)
        self.device = device

    def __getitem__(self, i):
        p = list.__getitem__(self, i)
        return p.detach().to(self.device, copy=True).requires_grad_()

    def __iter__(self):
        return (self[i] for i in range(len(self)))


def broadcast_parameters(params, devices):
    return [Lazy(params, device) for device in devices]
""",
)
