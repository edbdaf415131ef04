# finish waits for the last handle alone, in each step.
# breaks: 8
# kills: test_each_handle
# misconception: collective-has-happened
def ddp(net):
    handles = []
    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(lambda p: handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True)))

    def finish():
        handles[-1].wait()
        handles.clear()

    return finish
