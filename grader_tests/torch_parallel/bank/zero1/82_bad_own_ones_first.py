# Each rank sends its own parameters first: the collectives of the ranks are in different orders.
# breaks: 1
# kills: test_like_one_adam, test_list_stays, test_no_race, test_no_wait, test_share, test_three_ranks
# misconception: one-owner-each
def zero1(params, lr):
    rank, k = dist.get_rank(), dist.get_world_size()
    optimizer = torch.optim.Adam(params[rank::k], lr=lr)

    def step():
        optimizer.step()
        order = sorted(range(len(params)), key=lambda i: (i % k != rank, i))
        for i in order:
            dist.broadcast(params[i].data, i % k)

    return step
