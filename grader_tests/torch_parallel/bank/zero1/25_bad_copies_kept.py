# The state is shared out, and a copy of all old parameters and gradients is kept.
# breaks: 2
# kills: test_share
# misconception: one-owner-each
def zero1(params, lr):
    rank, size = dist.get_rank(), dist.get_world_size()
    optimizer = torch.optim.Adam(params[rank::size], lr=lr)

    kept = []

    def step():
        kept[:] = [(p.detach().clone(), p.grad.clone(), p.grad.square()) for p in params]
        optimizer.step()
        for number, p in enumerate(params):
            dist.broadcast(p.data, number % size)

    return step
