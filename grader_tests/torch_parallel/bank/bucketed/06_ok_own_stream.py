# Copies back and collective in a stream of one's own.
def bucketed(net, most):
    buckets = [[]]
    for p in reversed([p for p in net.parameters() if p.requires_grad]):
        if buckets[-1] and sum(q.nbytes for q in [*buckets[-1], p]) > most:
            buckets.append([])
        buckets[-1].append(p)
    left = [len(bucket) for bucket in buckets]
    here = buckets[0][0].device
    talking = gpu.Stream(here)

    def hook_of(n):
        def hook(p):
            left[n] -= 1
            if left[n]:
                return
            left[n] = len(buckets[n])
            talking.wait_stream(gpu.current_stream(here))
            with gpu.stream(talking):
                flat = torch.cat([q.grad.flatten() for q in buckets[n]])
                dist.all_reduce(flat, op=dist.ReduceOp.AVG)
                for q, part in zip(buckets[n], flat.split([q.numel() for q in buckets[n]])):
                    q.grad.copy_(part.view_as(q))
                    q.grad.record_stream(talking)

        return hook

    for n, bucket in enumerate(buckets):
        for p in bucket:
            p.register_post_accumulate_grad_hook(hook_of(n))
    return lambda: gpu.current_stream(here).wait_stream(talking)
