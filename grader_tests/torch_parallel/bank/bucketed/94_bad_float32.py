# Buckets are of float32, whatever the type of the gradients.
# breaks: 1
# kills: test_three_ranks
# misconception: divide-once
def bucketed(net, most):
    """Prepare a network so that its gradients are averaged over all ranks in buckets, during backward.

    net: a module, on the device of this rank; the same in all ranks.  most: bytes of the largest bucket.
    Returns a function without arguments, to be called between backward and the step.
    """
    buckets, room = [], 0
    for p in reversed([p for p in net.parameters() if p.requires_grad]):
        if not buckets or p.nbytes > room:
            buckets.append([])
            room = most
        buckets[-1].append(p)
        room -= p.nbytes
    missing = [len(bucket) for bucket in buckets]
    sent = []

    def arrived(number):
        missing[number] -= 1
        if missing[number] == 0:
            missing[number] = len(buckets[number])
            flat = torch.cat([p.grad.flatten().float() for p in buckets[number]])
            sent.append((number, flat, dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=True)))

    for number, bucket in enumerate(buckets):
        for p in bucket:
            p.register_post_accumulate_grad_hook(lambda p, number=number: arrived(number))

    def finish():
        for number, flat, handle in sent:
            handle.wait()
            for p, part in zip(buckets[number], flat.split([p.numel() for p in buckets[number]])):
                p.grad.copy_(part.view_as(p))
        sent.clear()

    return finish
