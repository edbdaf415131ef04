# One collective for each parameter.
# breaks: 3
# kills: test_few
# misconception: copy-is-free
def bucketed(net, most):
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

    return finish
