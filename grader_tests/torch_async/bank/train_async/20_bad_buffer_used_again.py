# One pinned buffer for all batches: overwritten before its copy has run.
# breaks: 2
# kills: test_no_older_gradients, test_returns_the_loss, test_weights
# misconception: gradients-add-up
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    buffers = [torch.empty(300, n).pin_memory() for n in (4, 1)]
    for X, y in data_iter():
        for b, t in zip(buffers, (X, y)):
            b[: len(t)].copy_(t)
        X, y = (b[: len(t)].to(device, non_blocking=True) for b, t in zip(buffers, (X, y)))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
    return total.item()
