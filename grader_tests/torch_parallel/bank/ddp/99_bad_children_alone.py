# Parameters that belong to the module itself, and to no child, are left out.
# breaks: 1
# kills: test_averages, test_three_ranks
# misconception: divide-once
def ddp(net):
    handles = []

    def hook(p):
        handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True))

    for p in (p for child in net.children() for p in child.parameters()):
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()

    return finish
