# Adam with one's own lines, and owners by size: the next parameter goes to the one with least.
def zero1(params, lr, beta1=0.9, beta2=0.999, eps=1e-8):
    rank, k = dist.get_rank(), dist.get_world_size()
    load, owner = [0] * k, []
    for p in params:
        least = load.index(min(load))
        owner.append(least)
        load[least] += p.numel()
    state = {i: (torch.zeros_like(p), torch.zeros_like(p)) for i, p in enumerate(params) if owner[i] == rank}
    steps = 0

    @torch.no_grad()
    def step():
        nonlocal steps
        steps += 1
        for i, (m, v) in state.items():
            gradient = params[i].grad
            m.lerp_(gradient, 1 - beta1)
            v.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
            denominator = (v / (1 - beta2**steps)).sqrt_().add_(eps)
            params[i].addcdiv_(m, denominator, value=-lr / (1 - beta1**steps))
        for i, p in enumerate(params):
            dist.broadcast(p.data, owner[i])

    return step
