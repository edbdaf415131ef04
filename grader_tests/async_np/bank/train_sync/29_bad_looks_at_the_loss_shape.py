# Checks the shape of the loss and takes that for a wait.
# breaks: 1
# misconception: any-wait-will-do
def train_sync(net, data_iter, loss, trainer):
    l_sum = np.zeros(())
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        assert l.shape == (X.shape[0],)
        l.backward()
        trainer.step(l.size)
        l_sum += l.mean()
    return float(l_sum)
