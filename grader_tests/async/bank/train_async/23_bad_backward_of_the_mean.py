# The mean divides by the batch size, and step divides again.
# breaks: 2
# misconception: divide-once
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y).mean()
        l.backward()
        trainer.step(X.shape[0])
    nd.waitall()
