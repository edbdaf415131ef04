# Reports every hundred batches.
# breaks: 1
# kills: test_no_wait_in_the_loop
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for number, (X, y) in enumerate(data_iter(), 1):
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
        if number % 100 == 0:
            print(f"batch {number}: {float(total):.3f}")
    return total.item()
