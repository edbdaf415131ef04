# backward for each batch, one step after the loop: only the last gradient is used.
# breaks: 2
# misconception: divide-once
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
    trainer.step(X.shape[0])
    nd.waitall()
