# Makes replicas once for the same tensors, and returns these again when their values have changed.
# breaks: 3
# kills: test_values
# misconception: replicas-stay-equal
_made = {}


def broadcast_parameters(params, devices):
    key = tuple(id(p) for p in params), tuple(str(d) for d in devices)
    if key not in _made:
        _made[key] = [[p.detach().to(d, copy=True).requires_grad_() for p in params] for d in devices]
    return _made[key]
