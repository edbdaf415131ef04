# Does not wait for the bucket that finish itself sends.
# breaks: 7
# kills: test_averages, test_frozen, test_no_race, test_one_bucket, test_three_ranks
# misconception: divide-once
def bucketed(net, most):
    bucket, sent = [], []

    def send():
        flat = torch.cat([p.grad.flatten() for p in bucket])
        sent.append((list(bucket), flat, dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=True)))
        bucket.clear()

    def hook(p):
        if bucket and sum(q.nbytes for q in bucket) + p.nbytes > most:
            send()
        bucket.append(p)

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        for _, _, handle in sent:
            handle.wait()
        if bucket:
            send()
        for params, flat, _ in sent:
            for p, part in zip(params, flat.split([p.numel() for p in params])):
                p.grad.copy_(part.reshape(p.shape))
        sent.clear()

    return finish
