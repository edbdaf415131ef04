# A batch with one example is not used.
# breaks: 2
# kills: test_no_older_gradients, test_returns_the_loss, test_weights
# misconception: reads-the-task
def train_sync(net, data_iter, loss, optimizer):
    total = 0.0
    for X, y in data_iter():
        if len(X) < 2:
            continue
        optimizer.zero_grad()
        l = loss(net(X.to(device)), y.to(device)).mean()
        l.backward()
        optimizer.step()
        total += l.item()
    gpu.synchronize()
    return total
