# Only the last layer is averaged while backward goes on; all others go together, when the last gradient is there.
# breaks: 4
# kills: test_every_layer
# misconception: gradients-come-one-by-one
def ddp(net):
    params = [p for p in net.parameters() if p.requires_grad]
    groups = [params[-2:], params[:-2]]
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

    for group in groups:
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
