# Starts with an empty queue, and waits for data that are there already: nothing is held up.
def train_async(net, data_iter, loss, trainer):
    npx.waitall()
    for parameter in net.collect_params().values():
        parameter.data().wait_to_read()
    for X, y in data_iter():
        X.wait_to_read()
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
    npx.waitall()
