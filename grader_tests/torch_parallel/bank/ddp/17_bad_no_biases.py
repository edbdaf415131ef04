# Only matrices.
# breaks: 1
# kills: test_averages, test_frozen, test_three_ranks
# misconception: divide-once
def ddp(net):
    handles = []

    def average(p):
        handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True))

    for p in net.parameters():
        if p.requires_grad and p.dim() > 1:
            p.register_post_accumulate_grad_hook(average)

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()

    return finish
