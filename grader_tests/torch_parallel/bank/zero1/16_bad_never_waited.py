# The broadcasts are not waited for.
# breaks: 4
# kills: test_like_one_adam, test_no_race, test_three_ranks
# misconception: collective-has-happened
def zero1(params, lr):
    rank, size = dist.get_rank(), dist.get_world_size()
    optimizer = torch.optim.Adam(params[rank::size], lr=lr)

    def step():
        optimizer.step()
        for number, p in enumerate(params):
            dist.broadcast(p.data, number % size, async_op=True)

    return step
