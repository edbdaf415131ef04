# Divides by the number of batches.
# breaks: 5
# misconception: reads-the-task
def train_sync(net, data_iter, loss, trainer):
    l_sum, n = 0, 0
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l_sum += l.mean().asscalar()
        n += 1
        l.backward()
        trainer.step(X.shape[0])
    return l_sum / n
