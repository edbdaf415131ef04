# step(1) does not divide the gradient by the size of the batch.
# breaks: 2
# misconception: divide-once
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(1)
    nd.waitall()
