# Looks at the loss of the first batch before and after training, without recording and without a wait.
def train_async(net, data_iter, loss, trainer):
    first = None
    for X, y in data_iter():
        if first is None:
            first = X, y
            before = loss(net(X), y).mean()
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
    after = loss(net(first[0]), first[1]).mean()
    npx.waitall()
    print('loss of the first batch:', before.item(), after.item())
