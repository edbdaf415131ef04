# The copies on the same device bring the gradient of the parameter along.
# breaks: 5
# kills: test_originals
# misconception: reads-the-task
def broadcast_parameters(params, devices):
    return [
        [copy.deepcopy(p) if p.device == place else p.detach().to(place).requires_grad_() for p in params]
        for place in devices
    ]
