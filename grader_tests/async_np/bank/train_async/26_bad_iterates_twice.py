# Goes through the data once to count the batches and once to train.
# breaks: 5
# misconception: reads-the-task
def train_async(net, data_iter, loss, trainer):
    print(sum(1 for _ in data_iter()), 'batches')
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
    npx.waitall()
