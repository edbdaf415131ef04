# Fills the pinned buffer of a slot before it has waited for the batch that used it.
# breaks: 4
# kills: test_weights
# misconception: gradients-add-up
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    slots = [{} for _ in range(in_flight)]
    events = [None] * in_flight

    def pinned(slot, host):
        key = host.shape, host.dtype
        if key not in slots[slot]:
            slots[slot][key] = torch.empty(host.shape, dtype=host.dtype, pin_memory=True)
        return slots[slot][key].copy_(host)

    for t, (X, y) in enumerate(data_iter()):
        slot = t % in_flight
        X, y = pinned(slot, torch.cat([X, y], dim=1)).to(device, non_blocking=True).split([X.shape[1], 1], dim=1)
        if events[slot] is not None:
            events[slot].synchronize()
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        events[slot] = gpu.current_stream().record_event()
        l.backward()
        optimizer.step()
    gpu.synchronize()
