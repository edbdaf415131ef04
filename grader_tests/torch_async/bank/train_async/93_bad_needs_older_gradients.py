# Fails where the parameters have no older gradients.
# breaks: 8
# kills: test_no_older_gradients
# misconception: reads-the-task
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        for p in net.parameters():
            p.grad.zero_()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
    return total.item()
