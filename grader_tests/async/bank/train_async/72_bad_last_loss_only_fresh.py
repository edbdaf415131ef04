# Waits for the last loss: then all before it is done as well.
# breaks: 4
# kills: test_finished_at_return
# misconception: last-loss-last-work
def train_async(net, data_iter, loss, trainer):
    l = None
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
    if l is not None:
        l.wait_to_read()
