# Takes the batch size from the first batch.
# breaks: 3
# kills: test_returns_the_loss, test_weights
# misconception: reads-the-task
def train_sync(net, data_iter, loss, trainer):
    total, size = 0.0, None
    for X, y in data_iter():
        size = size or X.shape[0]
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(size)
        total += float(l.mean().asscalar())
    return total
