# One step for all batches.
# breaks: 2
# kills: test_no_older_gradients, test_returns_the_loss, test_weights
# misconception: gradients-add-up
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        l = loss(net(X), y).mean()
        l.backward()
        total += l.detach()
    optimizer.step()
    return total.item()
