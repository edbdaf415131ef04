# to without copy: on their own device the parameters themselves.
# breaks: 6
# kills: test_own_memory
# misconception: as-in-context
def broadcast_parameters(params, devices):
    return [[p.detach().to(device).requires_grad_() for p in params] for device in devices]
