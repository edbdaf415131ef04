# Trains past the given network and loss without a wait, and records all batches once more to wait for each.
# breaks: 1
# misconception: any-wait-will-do
def train_sync(net, data_iter, loss, trainer):
    first, second = [layer for layer in net._children.values() if isinstance(layer, gluon.nn.Dense)]
    squares, batches, losses = type(loss).__mro__[1](), [], []
    for X, y in data_iter():
        with autograd.record():
            l = squares(second(first(X)), y)
        l.backward()
        trainer.step(X.shape[0])
        batches.append((X, y))
        losses.append(l.mean())
    for X, y in batches:
        with autograd.record():
            l = loss(net(X), y)
        l.wait_to_read()
    nd.waitall()
    return sum(l.asscalar() for l in losses)
