# Goes through the modules, and divides the gradient of a parameter that two of them share twice.
# breaks: 1
# kills: test_three_ranks
# misconception: divide-once
def bucketed(net, most):
    every = [p for module in net.modules() for p in module.parameters(recurse=False) if p.requires_grad]
    buckets, room, placed = [], 0, set()
    for p in reversed(every):
        if id(p) in placed:
            continue
        placed.add(id(p))
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
            flat = torch.cat([p.grad.flatten() for p in buckets[number]])
            sent.append((number, flat, dist.all_reduce(flat, async_op=True)))

    for number, bucket in enumerate(buckets):
        for p in bucket:
            p.register_post_accumulate_grad_hook(lambda p, number=number: arrived(number))

    def finish():
        for number, flat, handle in sent:
            handle.wait()
            for p, part in zip(buckets[number], flat.split([p.numel() for p in buckets[number]])):
                p.grad.copy_(part.view_as(p))
        for p in every:
            p.grad /= dist.get_world_size()
        sent.clear()

    return finish
