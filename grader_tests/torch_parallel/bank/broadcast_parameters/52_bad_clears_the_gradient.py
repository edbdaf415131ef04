# The gradients of the given parameters are gone.
# breaks: 7
# kills: test_originals
# misconception: reads-the-task
def broadcast_parameters(params, devices):
    for p in params:
        p.grad = None
    return [[p.detach().to(place, copy=True).requires_grad_() for p in params] for place in devices]
