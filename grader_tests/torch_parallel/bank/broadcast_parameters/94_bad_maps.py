# Each replica is a map, which can be read only once.
# breaks: 1
# kills: test_values
# misconception: replicas-stay-equal
def broadcast_parameters(params, devices):
    return [map(lambda p, d=device: p.detach().to(d, copy=True).requires_grad_(), params) for device in devices]
