# Zeros travel during backward, added to the gradients in the end; the real sums travel in finish.
# breaks: 3, 6
# kills: test_every_layer, test_once, test_overlap
# misconception: gradients-come-one-by-one
def ddp(net):
    early = []
    wanted = [p for p in net.parameters() if p.requires_grad]

    def hook(p):
        zeros = p.grad * 0
        early.append((p, zeros, dist.all_reduce(zeros, op=dist.ReduceOp.AVG, async_op=True)))

    for p in wanted:
        p.register_post_accumulate_grad_hook(hook)

    def finish():
        for p, zeros, handle in early:
            handle.wait()
            dist.all_reduce(p.grad, op=dist.ReduceOp.AVG)
            p.grad += zeros
        early.clear()

    return finish
