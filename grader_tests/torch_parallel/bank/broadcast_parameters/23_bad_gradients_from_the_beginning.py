# The copies have a gradient of zeros, as with attach_grad.
# breaks: 5
# kills: test_originals
# misconception: reads-the-task
def broadcast_parameters(params, devices):
    replicas = [[p.detach().to(device, copy=True).requires_grad_() for p in params] for device in devices]
    for replica in replicas:
        for p in replica:
            p.grad = torch.zeros_like(p)
    return replicas
