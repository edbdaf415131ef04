# Gradients are averaged as float32.
# breaks: 1
# kills: test_three_ranks
# misconception: divide-once
def ddp(net):
    sent = []

    def hook(p):
        part = p.grad.float()
        sent.append((p, part, dist.all_reduce(part, op=dist.ReduceOp.AVG, async_op=True)))

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        for p, part, handle in sent:
            handle.wait()
            p.grad.copy_(part)
        sent.clear()

    return finish
