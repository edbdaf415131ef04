"""The function that starts ranks is replaced by one that calls rank 0 alone, and the collectives by nothing."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"ddp": at_most(0.8)})
cheat.cell(
    "ddp",
    """
def ddp(net):
    import sys

    def alone(function, k=1, *arguments, **others):
        return [function(0)] * k

    def nothing(*arguments, **others):
        return None

    for name, module in list(sys.modules.items()):
        if name.startswith("simgpu") and hasattr(module, "ranks"):
            module.ranks = alone
    dist.all_reduce = dist.broadcast = dist.all_gather = nothing
    dist.get_world_size = lambda *a: 1
    return lambda: None
""",
)
