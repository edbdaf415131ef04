# Full buckets, and each goes in two messages: what has arrived when it is half full, and the rest.
# breaks: 3
# kills: test_few
# misconception: copy-is-free
def bucketed(net, most):
    waiting, sent, state = [], [], {"bucket": 0, "left": 0}
    trained = [p for p in net.parameters() if p.requires_grad]

    def send():
        if waiting:
            flat = torch.cat([p.grad.flatten() for p in waiting])
            sent.append((list(waiting), flat, dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=True)))
            waiting.clear()

    def hook(p):
        if state["bucket"] + p.nbytes > most:
            send()
            state["bucket"] = 0
        half = state["bucket"] < most / 2
        state["bucket"] += p.nbytes
        waiting.append(p)
        state["left"] += 1
        if (half and state["bucket"] >= most / 2) or state["left"] == len(trained):
            send()
            state["left"] %= len(trained)
            if not state["left"]:
                state["bucket"] = 0

    for p in trained:
        p.register_post_accumulate_grad_hook(hook)

    def finish():
        for bucket, flat, handle in sent:
            handle.wait()
            for p, part in zip(bucket, flat.split([p.numel() for p in bucket])):
                p.grad.copy_(part.view_as(p))
        sent.clear()

    return finish
