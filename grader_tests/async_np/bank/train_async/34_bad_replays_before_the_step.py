# Trains past the given network and loss, with a hidden wait in every batch, which is recorded once more before its step.
# breaks: 1, 4
# kills: test_no_wait_in_the_loop, test_finished_at_return
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    first, second = [layer for layer in net._children.values() if isinstance(layer, gluon.nn.Dense)]
    squares = type(loss).__mro__[1]()
    for X, y in data_iter():
        with autograd.record():
            l = squares(second(first(X)), y)
        l.backward()
        l[l >= 0]
        with autograd.record():
            loss(net(X), y)
        trainer.step(X.shape[0])
    npx.waitall()
