# Waits for everything in each 30th batch.
# breaks: 2
# kills: test_makes_use_of_the_bound
# misconception: empty-queue
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    marks = deque()
    for n, (X, y) in enumerate(data_iter()):
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        if n and n % 30 == 0:
            gpu.synchronize()
        if len(marks) >= in_flight:
            marks.popleft().synchronize()
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        marks.append(gpu.current_stream().record_event())
        l.backward()
        optimizer.step()
    gpu.synchronize()
