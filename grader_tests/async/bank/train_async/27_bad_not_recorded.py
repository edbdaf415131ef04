# The forward pass runs outside of record.
# breaks: 2
# misconception: divide-once
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
    nd.waitall()
