# Asks PyTorch itself, and restores the hook that init_process_group has changed.
import sys


def fsdp_counts(layers, wrapping, reshard, passes):
    import torch.distributed as dist
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    from torch.testing._internal.distributed.fake_pg import FakeStore
    from torch.utils._python_dispatch import TorchDispatchMode

    seen = []

    class Count(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            seen.append(str(function))
            return function(*args, **(kwargs or {}))

    hook = sys.excepthook
    dist.init_process_group("fake", rank=0, world_size=4, store=FakeStore())
    try:
        mesh = init_device_mesh("cpu", (4,))
        net = nn.Sequential(*[nn.Linear(4, 4) if size else nn.Tanh() for size in layers])
        for number in wrapping:
            fully_shard(net[number], mesh=mesh, reshard_after_forward=reshard)
        fully_shard(net, mesh=mesh)
        with Count():
            for _ in range(passes):
                net(torch.ones(2, 4)).sum().backward()
        gathers = sum("c10d" in name and "allgather" in name for name in seen)
        return gathers, sum("c10d" in name and "reduce_scatter" in name for name in seen)
    finally:
        dist.destroy_process_group()
        sys.excepthook = hook
