# Stops early if a loss is NaN: that asks for a number in each step.
# breaks: 1
# kills: test_no_wait_in_the_loop
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        X = X.pin_memory().to(device, non_blocking=True)
        y = y.pin_memory().to(device, non_blocking=True)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        if torch.isnan(l):
            break
        l.backward()
        optimizer.step()
        total += l.detach()
    return total.item()
