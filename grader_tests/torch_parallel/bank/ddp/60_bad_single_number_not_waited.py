# finish does not wait for gradients of a single number.
# breaks: 8
# kills: test_each_handle
# misconception: collective-has-happened
def ddp(net):
    handles = []

    def hook(p):
        handle = dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True)
        if p.numel() > 1:
            handles.append(handle)

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()

    return finish
