# The forward pass runs outside of record, so there is nothing to differentiate.
# breaks: 3
# misconception: divide-once
def train_sync(net, data_iter, loss, trainer):
    l_sum = 0
    for X, y in data_iter():
        l = loss(net(X), y)
        l_sum += l.mean().asscalar()
        l.backward()
        trainer.step(X.shape[0])
    return l_sum
