# Keeps the previous loss, whatever in_flight is.
# breaks: 1, 3
# misconception: queue-is-free
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    previous = None
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        if previous is not None:
            previous.wait_to_read()
        previous = l
    nd.waitall()
