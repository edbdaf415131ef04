# Reads data_iter twice, once to count the batches.
# breaks: 6
# kills: test_one_pass
# misconception: reads-the-task
def train_sync(net, data_iter, loss, optimizer):
    count = len(list(data_iter()))
    total = 0.0
    for number, (X, y) in enumerate(data_iter()):
        print(f"batch {number + 1} of {count}")
        optimizer.zero_grad()
        l = loss(net(X.to(device)), y.to(device)).mean()
        l.backward()
        optimizer.step()
        total += l.item()
    gpu.synchronize()
    return total
