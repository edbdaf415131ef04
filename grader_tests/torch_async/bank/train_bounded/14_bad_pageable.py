# A copy from ordinary memory waits for the whole queue.
# breaks: 2
# kills: test_copies_do_not_wait, test_default, test_makes_use_of_the_bound, test_more_room_than_batches
# misconception: copy-is-free
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    flying = deque()
    for X, y in data_iter():
        X, y = X.to(device), y.to(device)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        done = gpu.Event()
        done.record()
        flying.append(done)
        if len(flying) == in_flight:
            flying.popleft().synchronize()
    gpu.synchronize()
