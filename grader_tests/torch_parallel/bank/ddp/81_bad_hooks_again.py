# Finish puts the hooks on once more: from the second step on everything is sent twice.
# breaks: 6
# kills: test_once
# misconception: work-not-done
def ddp(net):
    handles = []

    def hook(p):
        handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True))

    def prepare():
        for p in net.parameters():
            if p.requires_grad:
                p.register_post_accumulate_grad_hook(hook)

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()
        prepare()

    prepare()
    return finish
