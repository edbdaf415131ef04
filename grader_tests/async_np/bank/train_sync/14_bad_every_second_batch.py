# Waits at every second batch.
# breaks: 1
# misconception: any-wait-will-do
def train_sync(net, data_iter, loss, trainer):
    l_sum = 0
    for i, (X, y) in enumerate(data_iter()):
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        l_sum = l_sum + l.mean()
        if i % 2 == 1:
            l.wait_to_read()
    return l_sum.item()
