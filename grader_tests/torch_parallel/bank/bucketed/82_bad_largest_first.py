# Gradients are sorted by size, to fill the buckets better: the last layer may be in the last one.
# breaks: 4
# kills: test_overlap
# misconception: gradients-come-one-by-one
def bucketed(net, most):
    buckets = []
    for p in sorted((p for p in net.parameters() if p.requires_grad), key=lambda p: p.nbytes):
        if buckets and sum(q.nbytes for q in buckets[-1]) + p.nbytes <= most:
            buckets[-1].append(p)
        else:
            buckets.append([p])
    left = [len(bucket) for bucket in buckets]
    sent = []

    def ready(number):
        def hook(p):
            left[number] -= 1
            if not left[number]:
                flat = torch.cat([q.grad.flatten() for q in buckets[number]])
                sent.append((buckets[number], flat, dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=True)))

        return hook

    for number, bucket in enumerate(buckets):
        for p in bucket:
            p.register_post_accumulate_grad_hook(ready(number))

    def finish():
        for params, flat, handle in sent:
            handle.wait()
            for p, piece in zip(params, flat.split([p.numel() for p in params])):
                p.grad.copy_(piece.view_as(p))
        sent.clear()
        left[:] = [len(bucket) for bucket in buckets]

    return finish
