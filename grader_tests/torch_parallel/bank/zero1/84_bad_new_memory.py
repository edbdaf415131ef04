# What arrives becomes the data of the parameter: its memory is another one.
# breaks: 3
# kills: test_share
# misconception: one-owner-each
def zero1(params, lr):
    rank, k = dist.get_rank(), dist.get_world_size()
    optimizer = torch.optim.Adam(params[rank::k], lr=lr)

    def step():
        optimizer.step()
        for i, p in enumerate(params):
            new = p.detach().clone()
            dist.broadcast(new, i % k)
            p.data = new

    return step
