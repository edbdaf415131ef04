# All parameters travel as one vector, and are cut out of it there.
def broadcast_parameters(params, devices):
    sizes = [p.numel() for p in params]
    with torch.no_grad():
        flat = torch.cat([p.reshape(-1) for p in params])
        replicas = []
        for device in devices:
            pieces = flat.to(device).split(sizes)
            replicas.append([piece.clone().view(p.shape).requires_grad_() for piece, p in zip(pieces, params)])
    return replicas
