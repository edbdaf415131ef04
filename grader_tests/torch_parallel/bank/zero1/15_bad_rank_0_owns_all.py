# Rank 0 owns everything.
# breaks: 2
# kills: test_share
# misconception: one-owner-each
def zero1(params, lr):
    optimizer = torch.optim.Adam(params, lr=lr) if dist.get_rank() == 0 else None

    def step():
        if optimizer is not None:
            optimizer.step()
        for p in params:
            dist.broadcast(p.data, 0)

    return step
