# Waits for every parameter once its step is queued; the sum is taken when the loop is over.
def train_sync(net, data_iter, loss, trainer):
    means = []
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        means.append(l.mean())
        for parameter in net.collect_params().values():
            parameter.data().wait_to_read()
    return float(sum(mean.item() for mean in means))
