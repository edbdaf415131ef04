"""The functions of the front end that tell of waits, marks and ends of calls are replaced by ones that are silent."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"ddp": at_most(1.3)})
cheat.cell(
    "ddp",
    """
def ddp(net):
    import types

    import simgpu

    for name, module in list(sys_modules().items()):
        if name.startswith("simgpu") and isinstance(module, types.ModuleType):
            for word in ("wait", "mark", "flush", "handle"):
                if callable(getattr(module, word, None)):
                    setattr(module, word, lambda *a, **k: None)
    del simgpu

    def finish():
        for p in net.parameters():
            if p.requires_grad:
                dist.all_reduce(p.grad, op=dist.ReduceOp.AVG)
        gpu.synchronize()

    return finish


def sys_modules():
    import sys

    return sys.modules
""",
)
