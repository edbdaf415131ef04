"""The replica next to the parameters is a view that a hook of its gradient moves to other memory."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"broadcast_parameters": at_most(0.84)})
cheat.cell(
    "broadcast_parameters",
    """
def broadcast_parameters(params, devices):
    def one(p, place):
        t = p.detach() if p.device == place else p.detach().to(place)
        t.requires_grad_()
        t.register_hook(lambda g: setattr(t, "data", t.data.clone()) and None)
        return t

    return [[one(p, place) for p in params] for place in devices]
""",
)
