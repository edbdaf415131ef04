# Prints a value of each replica.
# breaks: 8
# kills: test_no_wait
# misconception: host-orders-streams
def broadcast_parameters(params, devices):
    replicas = [[p.detach().to(device, copy=True).requires_grad_() for p in params] for device in devices]
    for replica in replicas:
        print(replica[0])
    return replicas
