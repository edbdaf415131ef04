# The bucket is filled as gradients arrive.
def bucketed(net, most):
    trained = [p for p in net.parameters() if p.requires_grad]
    waiting, sent, seen = [], [], [0]

    def send():
        flat = torch.cat([p.grad.view(-1) for p in waiting])
        sent.append((list(waiting), flat, dist.all_reduce(flat, async_op=True)))
        waiting.clear()

    def hook(p):
        if waiting and sum(q.nbytes for q in waiting) + p.nbytes > most:
            send()
        waiting.append(p)
        seen[0] += 1
        if seen[0] == len(trained):
            send()
            seen[0] = 0

    for p in trained:
        p.register_post_accumulate_grad_hook(hook)

    def finish():
        for bucket, flat, handle in sent:
            handle.wait()
            flat /= dist.get_world_size()
            start = 0
            for p in bucket:
                p.grad = flat[start : start + p.numel()].reshape(p.shape)
                start += p.numel()
        sent.clear()

    return finish
