# Waits now and then to keep the queue short.
# breaks: 1
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    for i, (X, y) in enumerate(data_iter()):
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        if i % 2 == 1:
            l.wait_to_read()
    nd.waitall()
