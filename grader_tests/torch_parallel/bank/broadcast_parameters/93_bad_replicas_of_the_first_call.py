# A second call with the same devices returns the replicas of the first one.
# breaks: 3
# kills: test_values
# misconception: replicas-stay-equal
REPLICAS = {}


def broadcast_parameters(params, devices):
    key = tuple(devices), tuple(tuple(p.shape) for p in params)
    if key not in REPLICAS:
        REPLICAS[key] = [[p.detach().to(device, copy=True).requires_grad_() for p in params] for device in devices]
    return REPLICAS[key]
