# The state is thrown away after each step.
# breaks: 1
# kills: test_like_one_adam, test_three_ranks
# misconception: one-owner-each
def zero1(params, lr):
    rank, size = dist.get_rank(), dist.get_world_size()

    def step():
        torch.optim.Adam(params, lr=lr).step()
        for number, p in enumerate(params):
            dist.broadcast(p.data, number % size)

    return step
