# The sum stays an array of mxnet and is read once, after the loop.
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
    return l_sum.item()
