# Takes two for in_flight, and leaves without a wait.
# breaks: 3
# kills: test_makes_use_of_the_bound, test_more_room_than_batches, test_never_more
# misconception: queue-is-free
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    before = None
    for X, y in data_iter():
        X = X.pin_memory().to(device, non_blocking=True)
        y = y.pin_memory().to(device, non_blocking=True)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        event = gpu.current_stream().record_event()
        if before is not None:
            before.synchronize()
        before = event
    before.synchronize()
