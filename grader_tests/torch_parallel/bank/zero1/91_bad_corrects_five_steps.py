# The correction of the bias stops after five steps.
# breaks: 1
# kills: test_three_ranks
# misconception: reads-the-task
def zero1(params, lr):
    rank, k = dist.get_rank(), dist.get_world_size()
    state = {i: [torch.zeros_like(p), torch.zeros_like(p)] for i, p in enumerate(params) if i % k == rank}
    t = [0]

    @torch.no_grad()
    def step():
        t[0] = min(t[0] + 1, 5)
        for i, (m, v) in state.items():
            g = params[i].grad
            m.mul_(0.9).add_(g, alpha=0.1)
            v.mul_(0.999).addcmul_(g, g, value=0.001)
            params[i].addcdiv_(m / (1 - 0.9 ** t[0]), (v / (1 - 0.999 ** t[0])).sqrt_().add_(1e-8), value=-lr)
        for i, p in enumerate(params):
            dist.broadcast(p, i % k)

    return step
