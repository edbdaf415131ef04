# A fresh array is waited for in each batch, instead of a loss.
# breaks: 1
# misconception: queue-is-free
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    for t, (X, y) in enumerate(data_iter()):
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        if t + 1 >= in_flight:
            np.ones(1).wait_to_read()
    npx.waitall()
