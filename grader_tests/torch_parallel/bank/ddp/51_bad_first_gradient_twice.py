# The average of one gradient is averaged once more, which changes nothing but is sent twice.
# breaks: 6
# kills: test_once
# misconception: work-not-done
def ddp(net):
    handles = []
    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(
                lambda p: handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True)))

    def finish():
        while handles:
            handles.pop().wait()
        first = next((p for p in net.parameters() if p.grad is not None), None)
        if first is not None:
            dist.all_reduce(first.grad, op=dist.ReduceOp.AVG)

    return finish
