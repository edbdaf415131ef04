# Goes through the modules, and divides what two of them share twice.
# breaks: 1
# kills: test_three_ranks
# misconception: divide-once
def ddp(net):
    handles, sent = [], []

    def average(p):
        if not any(p is one for one, _ in sent):
            handles.append(dist.all_reduce(p.grad, async_op=True))
            sent.append((p, len(handles)))

    hooked = []
    for module in net.modules():
        for p in module.parameters(recurse=False):
            if p.requires_grad:
                hooked.append(p)
                p.register_post_accumulate_grad_hook(average)

    def finish():
        for handle in handles:
            handle.wait()
        for p in hooked:
            p.grad /= dist.get_world_size()
        handles.clear()
        sent.clear()

    return finish
