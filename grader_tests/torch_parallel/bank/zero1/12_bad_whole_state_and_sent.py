# Everybody updates all, and the owners send what they have all the same.
# breaks: 2
# kills: test_share
# misconception: one-owner-each
def zero1(params, lr):
    rank, size = dist.get_rank(), dist.get_world_size()
    optimizer = torch.optim.Adam(params, lr=lr)

    def step():
        optimizer.step()
        for number, p in enumerate(params):
            dist.broadcast(p.data, number % size)

    return step
