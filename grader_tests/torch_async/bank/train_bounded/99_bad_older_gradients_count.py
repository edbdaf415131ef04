# Empties the gradients after the step and not before it: the caller's older ones count in the first batch.
# breaks: 4
# kills: test_weights
# misconception: gradients-add-up
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    marks = deque()
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        if len(marks) >= in_flight:
            marks.popleft().synchronize()
        l = loss(net(X), y).mean()
        marks.append(gpu.current_stream().record_event())
        l.backward()
        optimizer.step()
        optimizer.zero_grad()
    gpu.synchronize()
