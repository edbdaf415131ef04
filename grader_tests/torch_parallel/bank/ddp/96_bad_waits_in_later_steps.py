# The host waits in every fourth step.
# breaks: 7
# kills: test_no_wait
# misconception: host-orders-streams
def ddp(net):
    handles, steps = [], [0]

    def average(p):
        handles.append(dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True))

    for p in net.parameters():
        if p.requires_grad:
            p.register_post_accumulate_grad_hook(average)

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()
        steps[0] += 1
        if steps[0] % 4 == 0:
            gpu.synchronize()

    return finish
