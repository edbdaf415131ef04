# clone under no_grad, and to.
def broadcast_parameters(params, devices):
    @torch.no_grad()
    def replica(device):
        return [p.clone().to(device) for p in params]

    return [[p.requires_grad_() for p in replica(device)] for device in devices]
