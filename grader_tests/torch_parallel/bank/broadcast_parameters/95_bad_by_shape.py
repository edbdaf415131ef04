# Of two parameters of one shape, the last one is copied twice.
# breaks: 3
# kills: test_values
# misconception: replicas-stay-equal
def broadcast_parameters(params, devices):
    by_shape = {tuple(p.shape): p for p in params}
    return [[by_shape[tuple(p.shape)].detach().to(d, copy=True).requires_grad_() for p in params] for d in devices]
