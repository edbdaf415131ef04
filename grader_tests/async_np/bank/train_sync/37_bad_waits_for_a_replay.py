# Trains past the given network and loss without a wait, and asks for the loss of a pass that is recorded for show.
# breaks: 1
# misconception: any-wait-will-do
def train_sync(net, data_iter, loss, trainer):
    first, second = [layer for layer in net._children.values() if isinstance(layer, gluon.nn.Dense)]
    squares, total = type(loss).__mro__[1](), 0.0
    for X, y in data_iter():
        with autograd.record():
            l = squares(second(first(X)), y)
        l.backward()
        with autograd.record():
            shown = loss(net(X), y)
        total += shown.mean().item()
        trainer.step(X.shape[0])
    npx.waitall()
    return total
