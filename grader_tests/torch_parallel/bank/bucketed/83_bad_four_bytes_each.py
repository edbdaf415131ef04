# Takes four bytes for each number: buckets of float64 are twice too large.
# breaks: 2
# kills: test_few, test_most
# misconception: queue-is-free
def bucketed(net, most):
    buckets, room = [], 0
    for p in reversed([p for p in net.parameters() if p.requires_grad]):
        if not buckets or 4 * p.numel() > room:
            buckets.append([])
            room = most
        buckets[-1].append(p)
        room -= 4 * p.numel()
    missing = [len(bucket) for bucket in buckets]
    sent = []

    def arrived(number):
        missing[number] -= 1
        if missing[number] == 0:
            missing[number] = len(buckets[number])
            flat = torch.cat([p.grad.flatten() for p in buckets[number]])
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
