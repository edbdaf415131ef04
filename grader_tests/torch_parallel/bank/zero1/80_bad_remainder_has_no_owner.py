# Len // k parameters for each rank: the last ones are updated by nobody.
# breaks: 1
# kills: test_like_one_adam, test_three_ranks
# misconception: one-owner-each
def zero1(params, lr):
    rank, each = dist.get_rank(), len(params) // dist.get_world_size()
    optimizer = torch.optim.Adam(params[rank * each : (rank + 1) * each], lr=lr)

    def step():
        optimizer.step()
        for i, p in enumerate(params[: each * dist.get_world_size()]):
            dist.broadcast(p.data, i // each)

    return step
