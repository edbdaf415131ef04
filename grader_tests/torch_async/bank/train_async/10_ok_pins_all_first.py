# All batches are pinned before the loop.
def train_async(net, data_iter, loss, optimizer):
    pinned = [[t.pin_memory() for t in batch] for batch in data_iter()]
    losses = []
    for batch in pinned:
        X, y = [t.to(device, non_blocking=True) for t in batch]
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        losses.append(l.detach())
    return torch.stack(losses).sum().item()
