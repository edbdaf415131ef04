# Numbers of two bytes count as four.
# breaks: 3
# kills: test_few
# misconception: copy-is-free
def bucketed(net, most):
    bucket, sent, left = [], [], []
    wanted = [p for p in net.parameters() if p.requires_grad]

    def send():
        if bucket:
            flat = torch.cat([p.grad.flatten() for p in bucket])
            sent.append((list(bucket), flat, dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=True)))
            bucket.clear()

    def hook(p):
        if sum(max(4, one.element_size()) * one.numel() for one in [*bucket, p]) > most:
            send()
        bucket.append(p)
        left.append(p)
        if len(left) == len(wanted):
            send()
            left.clear()

    for p in wanted:
        p.register_post_accumulate_grad_hook(hook)

    def finish():
        send()
        for params, flat, handle in sent:
            handle.wait()
            for p, piece in zip(params, flat.split([p.numel() for p in params])):
                p.grad.copy_(piece.view_as(p))
        sent.clear()

    return finish
