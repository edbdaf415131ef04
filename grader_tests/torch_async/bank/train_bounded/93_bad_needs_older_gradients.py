# Fails where the parameters have no older gradients.
# breaks: 10
# kills: test_no_older_gradients
# misconception: reads-the-task
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    flying = deque()
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        for p in net.parameters():
            p.grad.zero_()
        loss(net(X), y).mean().backward()
        optimizer.step()
        flying.append(gpu.current_stream().record_event())
        if len(flying) == in_flight:
            flying.popleft().synchronize()
    gpu.synchronize()
