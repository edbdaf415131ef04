# A bucket for each layer; of layers that share a parameter, the first one has it.
def ddp(net):
    sent = []

    def hook_of(group):
        left = [len(group)]

        def hook(p):
            left[0] -= 1
            if not left[0]:
                left[0] = len(group)
                flat = torch.cat([q.grad.reshape(-1) for q in group])
                sent.append((group, flat, dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=True)))

        return hook

    placed = set()
    for layer in net.modules():
        group = [p for p in layer.parameters(recurse=False) if p.requires_grad and p not in placed]
        placed.update(group)
        hook = hook_of(group)
        for p in group:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        for group, flat, handle in sent:
            handle.wait()
            start = 0
            for q in group:
                q.grad = flat[start : start + q.numel()].view_as(q)
                start += q.numel()
        sent.clear()

    return finish
