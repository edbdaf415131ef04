# Returns the loss on the device.
# breaks: 5
# kills: test_finished_at_return, test_returns_the_loss
# misconception: last-loss-last-work
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
    return total
