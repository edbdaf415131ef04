# The host asks again and again whether the collectives are over.
# breaks: 7
# kills: test_no_wait
# misconception: host-orders-streams
import time


def ddp(net):
    handles = []

    def hook(p):
        handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True))

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(hook)

    def finish():
        for handle in handles:
            handle.wait()
        while not gpu.current_stream().query():
            time.sleep(0.001)
        handles.clear()

    return finish
