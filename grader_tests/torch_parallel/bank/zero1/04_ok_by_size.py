# Owners by size: the next parameter goes to the rank with the least.
def zero1(params, lr):
    loads, owners = [0] * dist.get_world_size(), {}
    for number in sorted(range(len(params)), key=lambda n: -params[n].numel()):
        owners[number] = loads.index(min(loads))
        loads[owners[number]] += params[number].numel()
    mine = [params[n] for n, owner in owners.items() if owner == dist.get_rank()]
    optimizer = torch.optim.Adam(mine, lr=lr)

    def step():
        optimizer.step()
        for number in range(len(params)):
            dist.broadcast(params[number].detach(), src=owners[number])

    return step
