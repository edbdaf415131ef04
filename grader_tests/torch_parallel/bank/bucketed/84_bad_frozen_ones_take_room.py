# Frozen parameters take up room in the plan, and are not sent.
# breaks: 6
# kills: test_frozen
# misconception: reads-the-task
def bucketed(net, most):
    groups, size = [[]], 0
    for p in reversed(list(net.parameters())):
        if groups[-1] and size + p.nbytes > most:
            groups.append([])
            size = 0
        groups[-1].append(p)
        size += p.nbytes
    groups = [[p for p in g if p.requires_grad] for g in groups]
    groups = [g for g in groups if g]
    left, sent = [len(g) for g in groups], []
    home = {p: n for n, g in enumerate(groups) for p in g}
    turn = [0]

    def hook(p):
        left[home[p]] -= 1
        while turn[0] < len(groups) and not left[turn[0]]:
            g = groups[turn[0]]
            flat = torch.cat([q.grad.flatten() for q in g])
            sent.append((g, flat, dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=True)))
            turn[0] += 1

    for p in home:
        p.register_post_accumulate_grad_hook(hook)

    def finish():
        for g, flat, handle in sent:
            handle.wait()
            for q, v in zip(g, flat.split([q.numel() for q in g])):
                q.grad.copy_(v.view_as(q))
        sent.clear()
        turn[0] = 0
        left[:] = [len(g) for g in groups]

    return finish
