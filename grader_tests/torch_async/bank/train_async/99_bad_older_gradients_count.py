# Empties the gradients after the step and not before it: the caller's older ones count in the first batch.
# breaks: 2
# kills: test_weights, test_returns_the_loss
# misconception: gradients-add-up
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        X, y = X.pin_memory().to(device, non_blocking=True), y.pin_memory().to(device, non_blocking=True)
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += l.detach()
    gpu.synchronize()
    return total.item()
