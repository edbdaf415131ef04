# In the hook, and once more in finish.
# breaks: 6
# kills: test_once
# misconception: work-not-done
def ddp(net):
    handles = []

    def average(p):
        handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True))

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(average)

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()
        for p in net.parameters():
            if p.requires_grad:
                dist.all_reduce(p.grad, op=dist.ReduceOp.AVG)

    return finish
