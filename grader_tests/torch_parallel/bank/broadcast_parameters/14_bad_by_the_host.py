# Through the host's memory.
# breaks: 8
# kills: test_no_wait
# misconception: host-orders-streams
def broadcast_parameters(params, devices):
    return [[p.detach().cpu().to(device).requires_grad_() for p in params] for device in devices]
