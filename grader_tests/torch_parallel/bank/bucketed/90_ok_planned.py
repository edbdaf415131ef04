# Buckets that are planned before the first pass, each with a count of what is missing.
class _Bucket:
    def __init__(self):
        self.params, self.bytes = [], 0

    def begin(self):
        self.missing = len(self.params)

    def arrived(self):
        self.missing -= 1
        if self.missing == 0:
            self.flat = torch.cat([p.grad.reshape(-1) for p in self.params])
            self.handle = dist.all_reduce(self.flat, op=dist.ReduceOp.AVG, async_op=True)

    def give_back(self):
        self.handle.wait()
        for p, part in zip(self.params, self.flat.split([p.numel() for p in self.params])):
            p.grad.copy_(part.view_as(p))
        del self.flat, self.handle
        self.begin()


def bucketed(net, most):
    buckets = [_Bucket()]
    for p in reversed([p for p in net.parameters() if p.requires_grad]):
        if buckets[-1].params and buckets[-1].bytes + p.nbytes > most:
            buckets.append(_Bucket())
        bucket = buckets[-1]
        bucket.params.append(p)
        bucket.bytes += p.nbytes
        p.register_post_accumulate_grad_hook(lambda p, bucket=bucket: bucket.arrived())
    buckets = [bucket for bucket in buckets if bucket.params]
    for bucket in buckets:
        bucket.begin()

    def finish():
        for bucket in buckets:
            bucket.give_back()

    return finish
