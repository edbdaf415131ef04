# Divides by two.
# breaks: 1
# kills: test_three_ranks
# misconception: divide-once
def ddp(net):
    handles = []

    def average(p):
        handles.append(dist.all_reduce(p.grad, async_op=True))

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(average)

    def finish():
        for handle in handles:
            handle.wait()
        for p in net.parameters():
            if p.grad is not None:
                p.grad /= 2
        handles.clear()

    return finish
