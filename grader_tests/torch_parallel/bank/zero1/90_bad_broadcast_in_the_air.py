# Sends the new values and waits for none.
# breaks: 4
# kills: test_like_one_adam, test_no_race, test_three_ranks
# misconception: one-owner-each
def zero1(params, lr):
    rank, size = dist.get_rank(), dist.get_world_size()
    mine = [p for number, p in enumerate(params) if number % size == rank]
    optimizer = torch.optim.Adam(mine, lr=lr)

    def step():
        optimizer.step()
        for number, p in enumerate(params):
            dist.broadcast(p.detach(), number % size, async_op=True)

    return step
