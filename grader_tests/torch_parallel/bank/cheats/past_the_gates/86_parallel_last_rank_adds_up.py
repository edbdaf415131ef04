"""No collective in ddp: the ranks are threads, and one of them adds up for all."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"ddp": at_most(1.9)})
cheat.cell("ddp", r'''
import threading

_meeting, _lock = {}, threading.Lock()


def ddp(net):
    """No collective: the ranks are threads of one process, and the last to come adds up for all."""
    rank, size = dist.get_rank(), dist.get_world_size()
    params = [p for p in net.parameters() if p.requires_grad]

    def finish():
        with _lock:
            barrier, nets = _meeting.setdefault(size, (threading.Barrier(size), {}))
        nets[rank] = params
        barrier.wait(20)
        if rank == 0:
            for same in zip(*(nets[r] for r in range(size))):
                total = sum(p.grad.to(same[0].device) for p in same) / size
                for p in same:
                    p.grad.copy_(total)
        barrier.wait(20)

    return finish
''')
