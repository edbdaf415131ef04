# Waits once in each batch, for the data of the batch.
# breaks: 1
# kills: test_one_batch_in_flight, test_one_wait_in_each_batch
# misconception: any-wait-will-do
def train_sync(net, data_iter, loss, trainer):
    means = []
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        means.append(l.mean())
        X.wait_to_read()
        y.wait_to_read()
    return float(sum(m.asscalar() for m in means))
