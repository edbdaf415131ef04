# One replica is given for all but the first device.
# breaks: 2, 6
# kills: test_own_memory, test_values
# misconception: as-in-context
def broadcast_parameters(params, devices):
    first = [p.detach().to(devices[0], copy=True).requires_grad_() for p in params]
    other = [p.detach().to(devices[1], copy=True).requires_grad_() for p in params]
    return [first] + [other] * (len(devices) - 1)
