# Never more than eight in flight, whatever was asked for.
# breaks: 2
# kills: test_more_room_than_batches
# misconception: reads-the-task
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    in_flight = min(in_flight, 8)
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
        if len(flying) == in_flight:
            flying.popleft().synchronize()
    gpu.synchronize()
