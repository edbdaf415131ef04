# Buckets of zeros leave early; the real ones are sent in finish.
# breaks: 3, 5
# kills: test_overlap
# misconception: gradients-come-one-by-one
def bucketed(net, most):
    buckets, room = [], 0
    for p in reversed([p for p in net.parameters() if p.requires_grad]):
        if not buckets or p.nbytes > room:
            buckets.append([])
            room = most
        buckets[-1].append(p)
        room -= p.nbytes
    first, sent = len(buckets[0]), []

    def hook(p):
        sent.append(p)
        if len(sent) == first:
            zeros = torch.cat([q.grad.flatten() * 0 for q in sent])
            sent.append(dist.all_reduce(zeros, op=dist.ReduceOp.AVG, async_op=True))
            sent.append(zeros)

    for bucket in buckets:
        for p in bucket:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        sent[first].wait()
        zeros = sent[first + 1]
        for bucket in buckets:
            flat = torch.cat([p.grad.flatten() for p in bucket])
            if bucket is buckets[0]:
                flat += zeros
            dist.all_reduce(flat, op=dist.ReduceOp.AVG)
            for p, part in zip(bucket, flat.split([p.numel() for p in bucket])):
                p.grad.copy_(part.view_as(p))
        sent.clear()

    return finish
