# The copies have the type that torch.empty chooses.
# breaks: 3
# kills: test_values
# misconception: replicas-stay-equal
def broadcast_parameters(params, devices):
    replicas = []
    for device in devices:
        mine = [torch.empty(p.shape, device=device, requires_grad=True) for p in params]
        with torch.no_grad():
            for copied, p in zip(mine, params):
                copied.copy_(p)
        replicas.append(mine)
    return replicas
