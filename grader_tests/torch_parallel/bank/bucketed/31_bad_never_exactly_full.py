# Never lets a bucket be exactly full.
# breaks: 3
# kills: test_one_bucket
# misconception: reads-the-task
def bucketed(net, most):
    params = [p for p in reversed(list(net.parameters())) if p.requires_grad]
    buckets, size = [[]], 0
    for p in params:
        if buckets[-1] and size + p.nbytes >= most:
            buckets.append([])
            size = 0
        buckets[-1].append(p)
        size += p.nbytes
    place = {p: bucket for bucket in buckets for p in bucket}
    ready, sent = [], []

    def send(bucket):
        flat = torch.cat([p.grad.flatten() for p in bucket])
        sent.append((bucket, flat, dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=True)))

    def hook(p):
        ready.append(p)
        if all(any(q is r for r in ready) for q in place[p]):
            send(place[p])

    for p in params:
        p.register_post_accumulate_grad_hook(hook)

    def finish():
        for bucket, flat, handle in sent:
            handle.wait()
            for p, piece in zip(bucket, flat.split([p.numel() for p in bucket])):
                p.grad.copy_(piece.view_as(p))
        sent.clear()
        ready.clear()

    return finish
