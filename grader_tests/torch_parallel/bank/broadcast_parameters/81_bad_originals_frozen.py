# The given parameters do not ask for gradients any more.
# breaks: 7
# kills: test_originals
# misconception: reads-the-task
def broadcast_parameters(params, devices):
    replicas = []
    for p in params:
        p.requires_grad_(False)
    for device in devices:
        replicas.append([p.to(device, copy=True).requires_grad_() for p in params])
    return replicas
