# More than one line may wait, as long as there is nothing left to wait for: data, and a loss that is known already.
def train_sync(net, data_iter, loss, trainer):
    npx.waitall()
    total = 0.0
    for X, y in data_iter():
        X.wait_to_read()
        y.wait_to_read()
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        npx.waitall()
        l.wait_to_read()
        total += l.mean().item()
        for parameter in net.collect_params().values():
            parameter.data().wait_to_read()
    npx.waitall()
    return float(total)
