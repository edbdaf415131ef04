# Counts the batches first.
# breaks: 6
# kills: test_one_pass
# misconception: reads-the-task
def train_async(net, data_iter, loss, optimizer):
    total, count = torch.zeros((), device=device), sum(1 for _ in data_iter())
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
    return total.item()
