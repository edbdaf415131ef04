# The step of the optimizer with a closure, and a wait for the device after it.
def train_sync(net, data_iter, loss, optimizer):
    total = 0.0
    for batch in data_iter():
        X, y = (part.pin_memory().to(device, non_blocking=True) for part in batch)

        def closure():
            optimizer.zero_grad()
            value = loss(net(X), y).mean()
            value.backward()
            return value

        value = optimizer.step(closure)
        gpu.synchronize()
        total += value.item()
    return total
