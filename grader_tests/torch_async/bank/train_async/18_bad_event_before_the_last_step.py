# Waits for the event of the last loss, and the last update comes after it.
# breaks: 5
# kills: test_finished_at_return, test_returns_the_loss
# misconception: last-loss-last-work
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        told = l.detach().to('cpu', non_blocking=True)
        end = gpu.current_stream().record_event()
        l.backward()
        optimizer.step()
        total += l.detach()
    end.synchronize()
    return float(told)
