# A parameter that is a view gets what is at the beginning of its memory.
# breaks: 3
# kills: test_values
# misconception: replicas-stay-equal
def broadcast_parameters(params, devices):
    def twin(p, device):
        whole = p.detach().as_strided((p.untyped_storage().nbytes() // p.element_size(),), (1,), 0)
        flat = whole[: p.numel()].to(device, copy=True)
        return flat.as_strided(p.shape, p.stride()).requires_grad_()

    return [[twin(p, device) for p in params] for device in devices]
