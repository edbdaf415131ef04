# Waits for y, which the loss reads and never writes.
# breaks: 1
# misconception: any-wait-will-do
def train_sync(net, data_iter, loss, trainer):
    l_sum = 0
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l_sum = l_sum + l.mean()
        l.backward()
        trainer.step(X.shape[0])
        y.wait_to_read()
    return l_sum.asscalar()
