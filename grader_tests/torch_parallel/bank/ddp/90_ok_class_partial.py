# A class that is called, and hooks by partial.
from functools import partial


class _Averages:
    def __init__(self, net):
        self.handles = []
        for p in filter(lambda p: p.requires_grad, net.parameters()):
            p.register_post_accumulate_grad_hook(partial(_Averages.send, self))

    def send(self, p):
        p.grad.div_(dist.get_world_size())
        self.handles.append(dist.all_reduce(p.grad, async_op=True))

    def __call__(self):
        while self.handles:
            self.handles.pop().wait()


def ddp(net):
    return _Averages(net)
