# The hook sends the first number of each gradient, and finish sends all the others.
# breaks: 3, 4
# kills: test_every_layer, test_overlap
# misconception: gradients-come-one-by-one
def ddp(net):
    early, late = [], []

    def hook(p):
        flat = p.grad.view(-1)
        early.append(dist.all_reduce(flat[:1], op=dist.ReduceOp.AVG, async_op=True))
        if len(flat) > 1:
            late.append(flat[1:])

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        for handle in early:
            handle.wait()
        for rest in late:
            dist.all_reduce(rest, op=dist.ReduceOp.AVG)
        early.clear(), late.clear()

    return finish
