# Empties the tensors of a batch once they are pinned.
# breaks: 8
# kills: test_data_stay
# misconception: reads-the-task
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    flying = deque()
    for X, y in data_iter():
        pinned = [t.pin_memory() for t in (X, y)]
        X.zero_(), y.zero_()
        X, y = (t.to(device, non_blocking=True) for t in pinned)
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
