# Frozen parameters are unfrozen, so that the hook can be put on them.
# breaks: 2
# kills: test_frozen
# misconception: reads-the-task
def ddp(net):
    handles = []

    def hook(p):
        handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True))

    for p in net.parameters():
        p.requires_grad_(True)
        p.register_post_accumulate_grad_hook(hook)

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()

    return finish
