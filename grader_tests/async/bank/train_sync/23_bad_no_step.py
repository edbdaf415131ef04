# The parameters are never updated.
# breaks: 3
# misconception: divide-once
def train_sync(net, data_iter, loss, trainer):
    l_sum = 0
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l_sum += l.mean().asscalar()
        l.backward()
    return l_sum
