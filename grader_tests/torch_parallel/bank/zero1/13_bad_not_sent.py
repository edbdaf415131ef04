# The owners' updates are not sent.
# breaks: 1
# kills: test_like_one_adam, test_three_ranks
# misconception: one-owner-each
def zero1(params, lr):
    rank, size = dist.get_rank(), dist.get_world_size()
    return torch.optim.Adam(params[rank::size], lr=lr).step
