# One pinned buffer for all batches: it is filled again before its copy has run.
# breaks: 2
# kills: test_no_older_gradients, test_returns_the_loss, test_weights
# misconception: gradients-add-up
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    buffers = None
    for X, y in data_iter():
        if buffers is None or len(buffers[0]) < len(X):
            buffers = X.pin_memory(), y.pin_memory()
        for buffer, t in zip(buffers, (X, y)):
            buffer[: len(t)].copy_(t)
        X, y = (buffer[: len(X)].to(device, non_blocking=True) for buffer in buffers)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
    return total.item()
