# One Adam for everything in every rank.
# breaks: 2
# kills: test_share
# misconception: one-owner-each
def zero1(params, lr):
    return torch.optim.Adam(params, lr=lr).step
