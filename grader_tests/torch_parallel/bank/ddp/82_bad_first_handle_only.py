# Waits for one handle only, the first.
# breaks: 5
# kills: test_averages, test_frozen, test_no_race, test_three_ranks
# misconception: collective-has-happened
def ddp(net):
    handles = []

    def hook(p):
        handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True))

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        handles[0].wait()
        handles.clear()

    return finish
