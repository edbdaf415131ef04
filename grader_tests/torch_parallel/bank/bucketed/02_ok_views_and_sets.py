# Flat buffers that are filled in the hooks; gradients become views of them.
def bucketed(net, most):
    buckets = [[]]
    for p in [p for p in net.parameters() if p.requires_grad][::-1]:
        if buckets[-1] and sum(q.nbytes for q in buckets[-1]) + p.nbytes > most:
            buckets.append([])
        buckets[-1].append(p)
    flats = [bucket[0].new_zeros(sum(p.numel() for p in bucket)) for bucket in buckets]
    done, handles = [set() for _ in buckets], []
    places = []
    for bucket, flat in zip(buckets, flats):
        places.append([part.view_as(p) for p, part in zip(bucket, flat.split([p.numel() for p in bucket]))])

    def hook_of(i, j):
        def hook(p):
            places[i][j].copy_(p.grad)
            done[i].add(j)
            if len(done[i]) == len(buckets[i]):
                handles.append(dist.all_reduce(flats[i], op=dist.ReduceOp.AVG, async_op=True))

        return hook

    for i, bucket in enumerate(buckets):
        for j, p in enumerate(bucket):
            p.register_post_accumulate_grad_hook(hook_of(i, j))

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()
        for i, bucket in enumerate(buckets):
            done[i].clear()
            for p, place in zip(bucket, places[i]):
                p.grad = place.clone()

    return finish
