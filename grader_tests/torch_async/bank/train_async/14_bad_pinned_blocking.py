# Pinned, but the host waits for the copy.
# breaks: 1
# kills: test_copies_do_not_wait, test_no_wait_in_the_loop, test_pinned_batches
# misconception: copy-is-free
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
    return total.item()
