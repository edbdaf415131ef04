# A class that is called; divided before it is sent.
class Averager:
    def __init__(self, net):
        self.size, self.handles = dist.get_world_size(), []
        for p in filter(lambda p: p.requires_grad, net.parameters()):
            p.register_post_accumulate_grad_hook(self.send)

    def send(self, p):
        p.grad.div_(self.size)
        self.handles.append(dist.all_reduce(p.grad, async_op=True))

    def __call__(self):
        for handle in self.handles:
            handle.wait()
        self.handles = []


def ddp(net):
    return Averager(net)
