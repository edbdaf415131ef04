# The owners' updates are not sent.
# breaks: the same parameters
# misconception: one-owner-each
def zero1(params, lr):
    rank, size = dist.get_rank(), dist.get_world_size()
    return torch.optim.Adam(params[rank::size], lr=lr).step
