# A class for a bucket; sum, divided before it is sent.
class Bucket:
    def __init__(self):
        self.params, self.left, self.handle = [], 0, None

    def close(self):
        self.left = len(self.params)
        for p in self.params:
            p.register_post_accumulate_grad_hook(self.arrived)

    def arrived(self, p):
        self.left -= 1
        if self.left == 0:
            self.flat = torch.cat([q.grad.flatten() for q in self.params]) / dist.get_world_size()
            self.handle = dist.all_reduce(self.flat, async_op=True)

    def put_back(self):
        self.handle.wait()
        for q, part in zip(self.params, self.flat.split([q.numel() for q in self.params])):
            q.grad = part.view(q.shape)
        self.left = len(self.params)


def bucketed(net, most):
    buckets = [Bucket()]
    for p in reversed(list(net.parameters())):
        if not p.requires_grad:
            continue
        if sum(q.nbytes for q in buckets[-1].params) + p.nbytes > most:
            buckets.append(Bucket())
        buckets[-1].params.append(p)
    for bucket in buckets:
        bucket.close()

    def finish():
        for bucket in buckets:
            bucket.put_back()

    return finish
