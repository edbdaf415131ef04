# Writes down the update of plain gradient descent.
# breaks: 3
# kills: test_returns_the_loss, test_weights
# misconception: gradients-add-up
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        with torch.no_grad():
            for p in net.parameters():
                p -= optimizer.param_groups[0]["lr"] * p.grad
        total += l.detach()
    return total.item()
