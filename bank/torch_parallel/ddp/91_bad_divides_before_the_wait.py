# Divides the gradients before it waits for their sums.
# breaks: the gradients have arrived before they are used
def ddp(net):
    handles = []

    def hook(p):
        handles.append((dist.all_reduce(p.grad, async_op=True), p))

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        size = dist.get_world_size()
        for _, p in handles:
            p.grad.div_(size)
        for handle, _ in handles:
            handle.wait()
        handles.clear()

    return finish
