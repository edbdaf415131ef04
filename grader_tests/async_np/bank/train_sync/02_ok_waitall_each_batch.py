# waitall at the end of each batch; the sum stays an array until the end.
def train_sync(net, data_iter, loss, trainer):
    total = np.zeros(())
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(len(X))
        total += l.mean()
        npx.waitall()
    return total.item()
