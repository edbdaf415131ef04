# A dict of handles; requires_grad asked for by name.
def ddp(net):
    flying = {}
    for name, p in net.named_parameters():
        if not p.requires_grad:
            continue

        def hook(q, name=name):
            flying[name] = dist.all_reduce(q.grad, op=dist.ReduceOp.SUM, async_op=True)

        p.register_post_accumulate_grad_hook(hook)

    @torch.no_grad()
    def finish():
        for name, p in net.named_parameters():
            if name in flying:
                flying.pop(name).wait()
                p.grad.mul_(1 / dist.get_world_size())

    return finish
