# After the loop it asks for each loss in turn; the last update is not waited for.
# breaks: 4
# kills: test_finished_at_return
# misconception: last-loss-last-work
def train_async(net, data_iter, loss, trainer):
    means = []
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        means.append(l.mean())
    return sum(m.item() for m in means)
