# Two, whatever in_flight is.
# breaks: 1
# kills: test_makes_use_of_the_bound, test_more_room_than_batches, test_never_more
# misconception: queue-is-free
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    flying = deque()
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        done = gpu.Event()
        done.record()
        flying.append(done)
        if len(flying) == 2:
            flying.popleft().synchronize()
    gpu.synchronize()
