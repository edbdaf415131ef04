# Counts the batches first.
# breaks: 7
# kills: test_one_pass
# misconception: reads-the-task
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    flying, count = deque(), sum(1 for _ in data_iter())
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
