# Non_blocking without pinned memory.
# breaks: 1
# kills: test_copies_do_not_wait, test_no_wait_in_the_loop
# misconception: copy-is-free
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        X = X.to(device, non_blocking=True)
        y = y.to(device, non_blocking=True)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
    return total.item()
