# All collectives in finish.
# breaks: 3
# kills: test_every_layer, test_overlap
# misconception: gradients-come-one-by-one
def ddp(net):
    def finish():
        for p in net.parameters():
            if p.requires_grad:
                dist.all_reduce(p.grad, op=dist.ReduceOp.AVG)

    return finish
