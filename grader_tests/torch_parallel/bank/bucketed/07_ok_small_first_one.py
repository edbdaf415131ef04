# The first bucket is the last layer alone, so that something is sent early; all others are full.
def bucketed(net, most):
    params = [p for p in net.parameters() if p.requires_grad][::-1]
    buckets = [[]]
    for n, p in enumerate(params):
        if n == 2 or sum(q.nbytes for q in buckets[-1]) + p.nbytes > most:
            buckets.append([])
        buckets[-1].append(p)
    number_of = {p: number for number, bucket in enumerate(buckets) for p in bucket}
    arrived, flats, handles = [0] * len(buckets), {}, {}

    def hook(p):
        number = number_of[p]
        arrived[number] += 1
        if arrived[number] == len(buckets[number]):
            arrived[number] = 0
            flats[number] = torch.cat([q.grad.flatten() for q in buckets[number]])
            handles[number] = dist.all_reduce(flats[number], op=dist.ReduceOp.AVG, async_op=True)

    for p in params:
        p.register_post_accumulate_grad_hook(hook)

    def finish():
        for number, handle in handles.items():
            handle.wait()
            sizes = [q.numel() for q in buckets[number]]
            for q, part in zip(buckets[number], flats[number].split(sizes)):
                q.grad.copy_(part.view_as(q))
        handles.clear()

    return finish
