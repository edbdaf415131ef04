# Blocks of n // k parameters; the last rank owns the whole rest: four of seven, on four ranks.
# breaks: 2
# kills: test_share
# misconception: one-owner-each
def zero1(params, lr):
    rank, size = dist.get_rank(), dist.get_world_size()
    block = len(params) // size
    owner = [min(number // block, size - 1) for number in range(len(params))]
    optimizer = torch.optim.Adam([p for number, p in enumerate(params) if owner[number] == rank], lr=lr)

    def step():
        optimizer.step()
        for p, other in zip(params, owner):
            dist.broadcast(p.data, other)

    return step
