# The buckets are right, but all of them are sent after the backward pass.
# breaks: 5
# kills: test_overlap
# misconception: gradients-come-one-by-one
def bucketed(net, most):
    params = [p for p in net.parameters() if p.requires_grad]

    def finish():
        buckets, sent = [[]], []
        for p in reversed(params):
            if sum(q.nbytes for q in buckets[-1]) + p.nbytes > most:
                buckets.append([])
            buckets[-1].append(p)
        for bucket in buckets:
            flat = torch.cat([p.grad.flatten() for p in bucket])
            sent.append((flat, dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=True)))
        for bucket, (flat, handle) in zip(buckets, sent):
            handle.wait()
            for p, piece in zip(bucket, flat.split([p.numel() for p in bucket])):
                p.grad.copy_(piece.view_as(p))

    return finish
