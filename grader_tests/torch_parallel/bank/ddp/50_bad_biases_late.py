# Gradients of vectors are not sent before finish.
# breaks: 4
# kills: test_every_layer
# misconception: gradients-come-one-by-one
def ddp(net):
    handles, late = [], []

    def send(p):
        handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True))

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(send if p.dim() > 1 else late.append)

    def finish():
        for p in late:
            send(p)
        for handle in handles:
            handle.wait()
        handles.clear(), late.clear()

    return finish
