# float() of the mean loss, so that "only a small number is kept": it waits in each batch.
# breaks: 1
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    means = []
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        means.append(float(l.mean()))
    npx.waitall()
    return sum(means)
