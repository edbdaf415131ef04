# In the hook without async_op: the stream waits at once.
# breaks: 3
# kills: test_every_layer, test_overlap
# misconception: gradients-come-one-by-one
def ddp(net):
    handles = []

    def average(p):
        dist.all_reduce(p.grad, op=dist.ReduceOp.AVG)

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(average)

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()

    return finish
