# Half of the squared error is doubled, so every gradient is twice what it should be.
# breaks: 3
# kills: test_weights, test_returns_the_loss
# misconception: divide-once
def train_sync(net, data_iter, loss, trainer):
    total = 0.0
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
            error = 2 * l
        total += l.mean().asscalar()
        error.backward()
        trainer.step(X.shape[0])
    return total
