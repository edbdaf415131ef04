# A hook for every parameter.
# breaks: 2
# kills: test_frozen
# misconception: reads-the-task
def ddp(net):
    handles = []

    def average(p):
        handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True))

    for p in net.parameters():
        p.register_post_accumulate_grad_hook(average)

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()

    return finish
