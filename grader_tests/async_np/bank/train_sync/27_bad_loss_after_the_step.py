# The loss is computed again after the update, and that figure is reported.
# breaks: 5
# misconception: reads-the-task
def train_sync(net, data_iter, loss, trainer):
    l_sum = 0
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        l_sum += loss(net(X), y).mean().item()
    return l_sum
