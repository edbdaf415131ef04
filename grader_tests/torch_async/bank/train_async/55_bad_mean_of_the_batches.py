# Returns the mean of the losses, not their sum.
# breaks: 4
# kills: test_returns_the_loss
# misconception: reads-the-task
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for number, (X, y) in enumerate(data_iter(), 1):
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
    return total.item() / number
