# The size of the first batch is used for all, and the last one is smaller.
# breaks: 2
# misconception: divide-once
def train_async(net, data_iter, loss, trainer):
    batch_size = None
    for X, y in data_iter():
        batch_size = batch_size or X.shape[0]
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(batch_size)
    npx.waitall()
