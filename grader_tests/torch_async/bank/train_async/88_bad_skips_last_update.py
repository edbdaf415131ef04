# Trains each batch when the next one is there, and forgets the last.
# breaks: 2
# kills: test_no_older_gradients, test_returns_the_loss, test_weights
# misconception: gradients-add-up
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    waiting = None
    for X, y in data_iter():
        batch = X.pin_memory().to(device, non_blocking=True), y.pin_memory().to(device, non_blocking=True)
        if waiting is not None:
            optimizer.zero_grad()
            l = loss(net(waiting[0]), waiting[1]).mean()
            l.backward()
            optimizer.step()
            total += l.detach()
        waiting = batch
    return total.item()
