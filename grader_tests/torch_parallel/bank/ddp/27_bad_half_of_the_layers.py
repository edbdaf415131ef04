# The second half of the layers is averaged in hooks, the first half in finish.
# breaks: 4
# kills: test_every_layer
# misconception: gradients-come-one-by-one
def ddp(net):
    params = [p for p in net.parameters() if p.requires_grad]
    later, handles = params[: len(params) // 2], []

    def average(p):
        handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True))

    for p in params[len(params) // 2 :]:
        p.register_post_accumulate_grad_hook(average)

    def finish():
        for p in later:
            average(p)
        for handle in handles:
            handle.wait()
        handles.clear()

    return finish
