# empty on the device, copy_ under no_grad.
def broadcast_parameters(params, devices):
    replicas = []
    for device in devices:
        mine = [torch.empty(p.shape, dtype=p.dtype, device=device, requires_grad=True) for p in params]
        with torch.no_grad():
            for copied, p in zip(mine, params):
                copied.copy_(p)
        replicas.append(mine)
    return replicas
