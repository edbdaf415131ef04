# The host waits if the parameters are on another device than the replicas.
# breaks: 8
# kills: test_no_wait
# misconception: host-orders-streams
def broadcast_parameters(params, devices):
    replicas = [[p.detach().to(device, copy=True).requires_grad_() for p in params] for device in devices]
    if params[0].device not in devices:
        gpu.synchronize(devices[0])
    return replicas
