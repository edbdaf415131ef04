# Asks for each loss.
# breaks: 1
# kills: test_no_wait_in_the_loop
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, optimizer):
    total = 0.0
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.item()
    return total
