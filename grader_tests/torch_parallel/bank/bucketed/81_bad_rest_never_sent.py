# A bucket is sent when the next gradient does not fit: the last one stays at home.
# breaks: 1
# kills: test_averages, test_frozen, test_one_bucket, test_three_ranks
# misconception: divide-once
def bucketed(net, most):
    bucket, sent = [], []

    def hook(p):
        if bucket and sum(q.nbytes for q in bucket) + p.nbytes > most:
            flat = torch.cat([q.grad.flatten() for q in bucket])
            sent.append((list(bucket), flat, dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=True)))
            bucket.clear()
        bucket.append(p)

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        for params, flat, handle in sent:
            handle.wait()
            for p, piece in zip(params, flat.split([p.numel() for p in params])):
                p.grad.copy_(piece.view_as(p))
        sent.clear()
        bucket.clear()

    return finish
