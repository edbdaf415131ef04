# The size of the first batch is used for all, and the last one is smaller.
# breaks: 3
# misconception: divide-once
def train_sync(net, data_iter, loss, trainer):
    l_sum, batch_size = 0, None
    for X, y in data_iter():
        batch_size = batch_size or X.shape[0]
        with autograd.record():
            l = loss(net(X), y)
        l_sum += l.mean().item()
        l.backward()
        trainer.step(batch_size)
    return l_sum
