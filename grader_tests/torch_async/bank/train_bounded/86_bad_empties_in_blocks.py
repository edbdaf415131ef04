# Waits for everything at every in_flight-th batch.
# breaks: 2
# kills: test_default, test_makes_use_of_the_bound
# misconception: empty-queue
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    for t, (X, y) in enumerate(data_iter()):
        if t % in_flight == 0:
            gpu.synchronize()
        X = X.pin_memory().to(device, non_blocking=True)
        y = y.pin_memory().to(device, non_blocking=True)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
    gpu.synchronize()
