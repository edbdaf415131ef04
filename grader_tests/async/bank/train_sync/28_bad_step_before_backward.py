# Updates before there is a gradient.
# breaks: 3
# misconception: divide-once
def train_sync(net, data_iter, loss, trainer):
    l_sum = 0
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l_sum += l.mean().asscalar()
        trainer.step(X.shape[0], ignore_stale_grad=True)
        l.backward()
    return l_sum
