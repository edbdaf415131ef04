# The early collective carries a tenth of the gradient, the late one the rest.
# breaks: 3, 6
# kills: test_every_layer, test_once, test_overlap
# misconception: gradients-come-one-by-one
def ddp(net):
    early = []

    def hook(p):
        part = p.grad * 0.1
        early.append((p, part, dist.all_reduce(part, op=dist.ReduceOp.AVG, async_op=True)))

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        for p, part, handle in early:
            handle.wait()
            rest = p.grad * 0.9
            dist.all_reduce(rest, op=dist.ReduceOp.AVG)
            p.grad.copy_(part + rest)
        early.clear()

    return finish
