# A log line in each batch: formatting a loss waits for it.
# breaks: 1
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        print(f'loss {l.mean()}')
        l.backward()
        trainer.step(X.shape[0])
    nd.waitall()
