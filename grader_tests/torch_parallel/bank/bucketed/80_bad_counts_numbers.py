# `most` is taken as a count of numbers: the buckets are four times too large.
# breaks: 2
# kills: test_most, test_overlap
# misconception: gradients-come-one-by-one
def bucketed(net, most):
    bucket, sent = [], []

    def send():
        flat = torch.cat([p.grad.flatten() for p in bucket])
        sent.append((list(bucket), flat, dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=True)))
        bucket.clear()

    def hook(p):
        if bucket and sum(q.numel() for q in bucket) + p.numel() > most:
            send()
        bucket.append(p)

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        if bucket:
            send()
        for params, flat, handle in sent:
            handle.wait()
            for p, piece in zip(params, flat.split([p.numel() for p in params])):
                p.grad.copy_(piece.view_as(p))
        sent.clear()

    return finish
