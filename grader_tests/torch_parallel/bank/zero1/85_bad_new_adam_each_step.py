# A new Adam in each step: no state at all, so no averages either.
# breaks: 1
# kills: test_like_one_adam, test_three_ranks
# misconception: one-owner-each
def zero1(params, lr):
    rank, k = dist.get_rank(), dist.get_world_size()

    def step():
        torch.optim.Adam(params[rank::k], lr=lr).step()
        for i, p in enumerate(params):
            dist.broadcast(p.data, i % k)

    return step
