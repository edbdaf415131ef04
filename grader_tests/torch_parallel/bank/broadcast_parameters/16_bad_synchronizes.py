# A wait for each device.
# breaks: 8
# kills: test_no_wait
# misconception: host-orders-streams
def broadcast_parameters(params, devices):
    replicas = []
    for device in devices:
        replicas.append([p.detach().to(device, copy=True).requires_grad_() for p in params])
        gpu.synchronize(device)
    return replicas
