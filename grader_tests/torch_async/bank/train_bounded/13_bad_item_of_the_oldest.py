# item() is a command after everything: to ask for the oldest loss now waits for all.
# breaks: 2
# kills: test_default, test_makes_use_of_the_bound
# misconception: empty-queue
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    flying = deque()
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        flying.append(l.detach())
        if len(flying) == in_flight:
            flying.popleft().item()
    gpu.synchronize()
