# NumPy in the middle: the values pass through the host.
# breaks: 9
# kills: test_no_wait
# misconception: host-orders-streams
def broadcast_parameters(params, devices):
    values = [p.detach().cpu().numpy() for p in params]
    return [[torch.tensor(value, device=device, requires_grad=True) for value in values] for device in devices]
