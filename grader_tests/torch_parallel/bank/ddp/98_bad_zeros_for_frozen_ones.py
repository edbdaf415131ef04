# Frozen parameters get a gradient of zeros.
# breaks: 2
# kills: test_frozen
# misconception: reads-the-task
def ddp(net):
    handles = []

    def hook(p):
        handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True))

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()
        for p in net.parameters():
            if p.grad is None:
                p.grad = torch.zeros_like(p)

    return finish
