# Reads the loss of each batch.
# breaks: 1
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    l_sum = 0
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l_sum += l.mean().asscalar()
        l.backward()
        trainer.step(X.shape[0])
    nd.waitall()
    return l_sum
