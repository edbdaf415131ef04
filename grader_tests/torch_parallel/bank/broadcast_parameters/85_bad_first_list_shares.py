# The first list is made without a copy.
# breaks: 6
# kills: test_own_memory
# misconception: as-in-context
def broadcast_parameters(params, devices):
    replicas = [[p.detach().to(devices[0]).requires_grad_() for p in params]]
    for d in devices[1:]:
        replicas.append([p.detach().to(d, copy=True).requires_grad_() for p in params])
    return replicas
