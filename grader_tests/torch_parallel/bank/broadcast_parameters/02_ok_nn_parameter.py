# clone, to, nn.Parameter.
def broadcast_parameters(params, devices):
    replicas = []
    for device in devices:
        replicas.append([nn.Parameter(p.data.clone().to(device, non_blocking=True)) for p in params])
    return replicas
