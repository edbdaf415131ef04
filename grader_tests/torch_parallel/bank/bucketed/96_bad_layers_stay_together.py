# The parameters of a layer that fits into a bucket are never divided.
# breaks: 3
# kills: test_one_bucket
# misconception: reads-the-task
def bucketed(net, most):
    groups, bucket, sent, left = [], [], [], set()
    for module in net.modules():
        mine = [p for p in module.parameters(recurse=False) if p.requires_grad]
        if mine and sum(p.nbytes for p in mine) <= most:
            groups.append(mine)
        else:
            groups.extend([p] for p in mine)
    plan = [[]]
    for group in reversed(groups):
        if sum(p.nbytes for p in [*plan[-1], *group]) > most:
            plan.append([])
        plan[-1] += group
    ready, sent = set(), []

    def hook(p):
        ready.add(p)
        while len(sent) < len(plan) and ready.issuperset(plan[len(sent)]):
            params = plan[len(sent)]
            flat = torch.cat([p.grad.flatten() for p in params])
            sent.append((params, flat, dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=True)))

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        for params, flat, handle in sent:
            handle.wait()
            for p, piece in zip(params, flat.split([p.numel() for p in params])):
                p.grad.copy_(piece.view_as(p))
        sent.clear()
        ready.clear()

    return finish
