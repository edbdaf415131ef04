# One flat copy for each device, of which the parameters are views.
def broadcast_parameters(params, devices):
    with torch.no_grad():
        flat = torch.cat([p.flatten() for p in params])
        replicas = []
        for device in devices:
            mine = torch.empty_like(flat, device=device).copy_(flat).split([p.numel() for p in params])
            replicas.append([part.view(p.shape).detach().requires_grad_() for part, p in zip(mine, params)])
    return replicas
