# Through the host's memory.
# breaks: no wait
# kills: test_no_wait
# misconception: host-orders-streams
def broadcast_parameters(params, devices):
    return [[p.detach().cpu().to(device).requires_grad_() for p in params] for device in devices]
