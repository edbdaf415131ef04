# Goes through the data once to count the batches and once to train.
# breaks: 6
# misconception: reads-the-task
def train_sync(net, data_iter, loss, trainer):
    l_sum, batches = 0, sum(1 for _ in data_iter())
    for i, (X, y) in enumerate(data_iter()):
        with autograd.record():
            l = loss(net(X), y)
        l_sum += l.mean().item()
        l.backward()
        trainer.step(X.shape[0])
    print(batches, 'batches')
    return l_sum
