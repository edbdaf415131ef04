# The parameters are averaged, and not the gradients.
# breaks: 1
# kills: test_averages, test_every_layer, test_frozen, test_overlap, test_three_ranks
# misconception: gradients-come-one-by-one
def ddp(net):
    handles = []

    def average(p):
        handles.append(dist.all_reduce(p.data, op=dist.ReduceOp.AVG, async_op=True))

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(average)

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()

    return finish
