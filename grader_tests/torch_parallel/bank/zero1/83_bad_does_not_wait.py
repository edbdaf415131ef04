# The broadcasts are on their way when the next forward pass begins.
# breaks: 4
# kills: test_like_one_adam, test_no_race, test_three_ranks
# misconception: collective-has-happened
def zero1(params, lr):
    rank, k = dist.get_rank(), dist.get_world_size()
    optimizer = torch.optim.Adam(params[rank::k], lr=lr)
    handles = []

    def step():
        optimizer.step()
        handles[:] = [dist.broadcast(p.data, i % k, async_op=True) for i, p in enumerate(params)]

    return step
