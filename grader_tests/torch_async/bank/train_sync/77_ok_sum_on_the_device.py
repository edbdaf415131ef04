# Events wait for each batch, the sum is kept on the device.
def train_sync(net, data_iter, loss, optimizer):
    total = torch.zeros(1, device=device)
    batches = iter(data_iter())
    while True:
        batch = next(batches, None)
        if batch is None:
            break
        X, y = batch[0].to(device), batch[1].to(device)
        l = torch.mean(loss(net(X), y))
        grads = torch.autograd.grad(l, list(net.parameters()))
        for p, g in zip(net.parameters(), grads):
            p.grad = g
        optimizer.step()
        total += l.detach()
        event = gpu.current_stream().record_event()
        event.synchronize()
    return float(total)
