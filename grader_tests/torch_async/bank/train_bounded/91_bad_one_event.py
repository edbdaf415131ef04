# Records one event again and again.
# breaks: 2
# kills: test_default, test_makes_use_of_the_bound
# misconception: empty-queue
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    event = gpu.Event()
    marks = deque()
    for X, y in data_iter():
        X = X.pin_memory().to(device, non_blocking=True)
        y = y.pin_memory().to(device, non_blocking=True)
        if len(marks) >= in_flight:
            marks.popleft().synchronize()
        l = loss(net(X), y).mean()
        event.record()  # always the same event: it marks the newest loss
        marks.append(event)
        optimizer.zero_grad()
        l.backward()
        optimizer.step()
    gpu.synchronize()
