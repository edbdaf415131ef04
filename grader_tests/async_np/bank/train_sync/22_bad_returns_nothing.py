# The return is missing.
# breaks: 5
# misconception: reads-the-task
def train_sync(net, data_iter, loss, trainer):
    l_sum = 0
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l_sum += l.mean().item()
        l.backward()
        trainer.step(X.shape[0])
