# Flattens predictions and labels, though the loss may want columns.
# breaks: 3
# kills: test_returns_the_loss
# misconception: reads-the-task
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device, dtype=torch.float64)
    for X, y in data_iter():
        X = X.pin_memory().to(device, non_blocking=True)
        y = y.pin_memory().to(device, non_blocking=True)
        optimizer.zero_grad()
        l = loss(net(X).flatten(), y.flatten()).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
    gpu.synchronize()
    return total.item()
