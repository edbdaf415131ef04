# Goes through the modules, so a parameter that two of them share has two hooks; its second average changes nothing.
# breaks: 6
# kills: test_once
# misconception: work-not-done
def ddp(net):
    handles = []

    def ready(p):
        handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True))

    for module in net.modules():
        for p in module.parameters(recurse=False):
            if p.requires_grad:
                p.register_post_accumulate_grad_hook(ready)

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()

    return finish

