# Divides the gradients before it waits for their sums.
# breaks: 5
# kills: test_averages, test_frozen, test_no_race, test_three_ranks
# misconception: divide-once
def ddp(net):
    handles = []

    def hook(p):
        handles.append((dist.all_reduce(p.grad, async_op=True), p))

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        size = dist.get_world_size()
        for _, p in handles:
            p.grad.div_(size)
        for handle, _ in handles:
            handle.wait()
        handles.clear()

    return finish
