# Each replica is copied from the one before; tuples.
def broadcast_parameters(params, devices):
    replicas, last = [], [p.detach() for p in params]
    for device in devices:
        last = [p.detach().to(device, copy=True) for p in last]
        replicas.append(tuple(p.requires_grad_(True) for p in last))
    return replicas
