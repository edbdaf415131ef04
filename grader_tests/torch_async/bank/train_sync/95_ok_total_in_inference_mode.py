# The loss is added up in inference mode.
def train_sync(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        l = loss(net(X.to(device)), y.to(device)).mean()
        optimizer.zero_grad()
        l.backward()
        optimizer.step()
        with torch.inference_mode():
            total = total + l
        gpu.synchronize()
    return total.item()
