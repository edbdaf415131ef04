# The mean divides by the batch size, and step divides again.
# breaks: 3
# misconception: divide-once
def train_sync(net, data_iter, loss, trainer):
    l_sum = 0
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y).mean()
        l_sum += l.asscalar()
        l.backward()
        trainer.step(X.shape[0])
    return l_sum
