# Waits in each batch, but hands back an array of mxnet.
# breaks: 5
# misconception: reads-the-task
def train_sync(net, data_iter, loss, trainer):
    l_sum = 0
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l_sum = l_sum + l.mean()
        l_sum.wait_to_read()
        l.backward()
        trainer.step(X.shape[0])
    return l_sum
