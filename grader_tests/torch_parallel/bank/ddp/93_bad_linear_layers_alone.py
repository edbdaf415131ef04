# Averages the parameters of linear layers alone.
# breaks: 1
# kills: test_averages, test_every_layer, test_frozen, test_three_ranks
# misconception: divide-once
def ddp(net):
    handles = []
    for m in net.modules():
        if isinstance(m, nn.Linear):
            for p in m.parameters():
                if p.requires_grad:
                    p.register_post_accumulate_grad_hook(lambda p: handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True)))

    def finish():
        for h in handles:
            h.wait()
        handles.clear()

    return finish
