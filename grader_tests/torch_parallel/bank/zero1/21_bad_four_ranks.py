# Made for four ranks.
# breaks: 1
# kills: test_three_ranks
# misconception: reads-the-task
def zero1(params, lr):
    rank, size = dist.get_rank(), dist.get_world_size()
    optimizer = torch.optim.Adam(params[rank::4], lr=lr)

    def step():
        optimizer.step()
        for number, p in enumerate(params):
            dist.broadcast(p.data, number % 4)

    return step
