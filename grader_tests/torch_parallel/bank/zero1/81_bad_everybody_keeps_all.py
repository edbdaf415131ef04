# A whole Adam in each rank: right values, and nothing is shared out.
# breaks: 2
# kills: test_share
# misconception: one-owner-each
def zero1(params, lr):
    optimizer = torch.optim.Adam(params, lr=lr)

    def step():
        optimizer.step()
        for i, p in enumerate(params):
            dist.broadcast(p.data, i % dist.get_world_size())

    return step
