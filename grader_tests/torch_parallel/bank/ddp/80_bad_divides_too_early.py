# Divides in the hook, while the sum is still on its way: a race.
# breaks: 5
# kills: test_averages, test_frozen, test_no_race, test_three_ranks
# misconception: collective-has-happened
def ddp(net):
    handles = []

    def hook(p):
        handles.append(dist.all_reduce(p.grad, async_op=True))
        p.grad /= dist.get_world_size()

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()

    return finish
