# A wait after each line of the batch.
# breaks: 2
# kills: test_one_wait_in_each_batch
# misconception: wait-in-the-loop
def train_sync(net, data_iter, loss, trainer):
    total = 0.0
    for X, y in data_iter():
        X.wait_to_read()
        with autograd.record():
            out = net(X)
            out.wait_to_read()
            l = loss(out, y)
        l.wait_to_read()
        l.backward()
        nd.waitall()
        trainer.step(X.shape[0])
        nd.waitall()
        total += float(l.mean().asscalar())
    return total
