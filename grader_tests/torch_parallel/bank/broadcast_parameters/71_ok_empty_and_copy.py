# Empty tensors on the device, into which the values are copied; a method builds a replica.
class Replica(list):
    def __init__(self, params, device):
        super().__init__()
        with torch.no_grad():
            for p in params:
                fresh = torch.empty(p.shape, dtype=p.dtype, device=device)
                fresh.copy_(p, non_blocking=True)
                self.append(fresh)
        for fresh in self:
            fresh.requires_grad = True


def broadcast_parameters(params, devices):
    return list(map(lambda device: Replica(params, device), devices))
