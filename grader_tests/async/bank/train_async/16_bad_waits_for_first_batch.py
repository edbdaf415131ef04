# Waits for the first batch, so that the rest "runs warm".
# breaks: 1
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    first = True
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        if first:
            nd.waitall()
            first = False
    nd.waitall()
