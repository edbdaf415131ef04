# Prints now and then.
# breaks: 1
# kills: test_no_wait_in_the_loop
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
        if len(X) == 5:
            print(l)
    return total.item()
