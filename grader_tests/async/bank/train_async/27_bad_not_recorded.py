# The forward pass runs outside of record.
# breaks: forward under autograd.record
# misconception: divide-once
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
    nd.waitall()
