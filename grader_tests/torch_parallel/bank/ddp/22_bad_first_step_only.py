# The hooks are removed in finish.
# breaks: 1
# kills: test_averages, test_every_layer, test_overlap
# misconception: gradients-come-one-by-one
def ddp(net):
    handles, hooks = [], []

    def average(p):
        handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True))

    for p in net.parameters():
        if p.requires_grad:
            hooks.append(p.register_post_accumulate_grad_hook(average))

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()
        while hooks:
            hooks.pop().remove()

    return finish
