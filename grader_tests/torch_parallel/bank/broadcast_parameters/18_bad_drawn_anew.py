# Each device draws its own.
# breaks: 3
# kills: test_values
# misconception: replicas-stay-equal
def broadcast_parameters(params, devices):
    return [[torch.randn(p.shape, device=device, requires_grad=True) for p in params] for device in devices]
