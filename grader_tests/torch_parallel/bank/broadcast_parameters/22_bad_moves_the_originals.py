# The originals become zero.
# breaks: 7
# kills: test_originals
# misconception: reads-the-task
def broadcast_parameters(params, devices):
    replicas = [[p.detach().to(device, copy=True).requires_grad_() for p in params] for device in devices]
    with torch.no_grad():
        for p in params:
            p.zero_()
    return replicas
