# X is pinned and y is not: the copy of y, after the next forward pass, is the only wait.
# breaks: 1
# kills: test_one_batch_in_flight
# misconception: place-in-a-stream
def train_sync(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device, dtype=torch.float64)
    for X, y in data_iter():
        optimizer.zero_grad()
        prediction = net(X.pin_memory().to(device, non_blocking=True))
        l = loss(prediction, y.to(device)).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
    gpu.synchronize()
    return total.item()
