# Flat buffers that live as long as the network; gradients are views of them afterwards.
class Bucket:
    def __init__(self):
        self.params, self.bytes, self.flat, self.left, self.handle = [], 0, None, 0, None

    def add(self, p):
        self.params.append(p)
        self.bytes += p.nbytes

    def freeze(self):
        first = self.params[0]
        self.flat = torch.zeros(sum(p.numel() for p in self.params), dtype=first.dtype, device=first.device)
        self.views, at = {}, 0
        for p in self.params:
            self.views[p] = self.flat[at : at + p.numel()].view(p.shape)
            at += p.numel()
        self.left = len(self.params)

    def ready(self, p):
        self.views[p].copy_(p.grad)
        self.left -= 1
        if self.left == 0:
            self.flat.div_(dist.get_world_size())
            self.handle = dist.all_reduce(self.flat, async_op=True)

    def finish(self):
        self.handle.wait()
        for p, view in self.views.items():
            p.grad = view
        self.left = len(self.params)


def bucketed(net, most):
    buckets = [Bucket()]
    for p in reversed([p for p in net.parameters() if p.requires_grad]):
        if buckets[-1].params and buckets[-1].bytes + p.nbytes > most:
            buckets.append(Bucket())
        buckets[-1].add(p)
        p.register_post_accumulate_grad_hook(buckets[-1].ready)
    for bucket in buckets:
        bucket.freeze()

    def finish():
        for bucket in buckets:
            bucket.finish()

    return finish
