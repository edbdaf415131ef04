# Leaves the data on the host, where the network has no replica.
# breaks: 4
# misconception: reads-the-task
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    with autograd.record():
        l = loss(net(X), y)
    l.backward()
    trainer.step(X.shape[0])
