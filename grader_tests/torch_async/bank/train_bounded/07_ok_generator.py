# A generator hands out a batch when there is room for it.
def _room(batches, events, limit):
    for batch in batches:
        if len(events) >= limit:
            events[-limit].synchronize()
        yield batch


def train_bounded(net, batches, criterion, optimiser, limit=2):
    events = []
    for inputs, targets in _room(batches(), events, limit):
        inputs, targets = (t.pin_memory().to(device, non_blocking=True) for t in (inputs, targets))
        optimiser.zero_grad()
        criterion(net(inputs), targets).mean().backward()
        optimiser.step()
        events.append(gpu.current_stream().record_event())
    gpu.synchronize()
