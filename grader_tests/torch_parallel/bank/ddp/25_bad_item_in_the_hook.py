# The hook looks at the gradient.
# breaks: 7
# kills: test_no_wait
# misconception: host-orders-streams
def ddp(net):
    handles = []

    def average(p):
        if p.grad.abs().max().item() < 0:
            return
        handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True))

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(average)

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()

    return finish
