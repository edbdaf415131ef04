# Adam's own learning rate.
# breaks: 1
# kills: test_like_one_adam, test_three_ranks
# misconception: one-owner-each
def zero1(params, lr):
    rank, size = dist.get_rank(), dist.get_world_size()
    optimizer = torch.optim.Adam(params[rank::size])

    def step():
        optimizer.step()
        for number, p in enumerate(params):
            dist.broadcast(p.data, number % size)

    return step
