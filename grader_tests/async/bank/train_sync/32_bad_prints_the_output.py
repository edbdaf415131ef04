# Looks at the scores of the network on the way to the loss.
# breaks: 2
# kills: test_one_wait_in_each_batch
# misconception: wait-in-the-loop
def train_sync(net, data_iter, loss, trainer):
    total = 0.0
    for X, y in data_iter():
        with autograd.record():
            scores = net(X)
            l = loss(scores, y)
        print(scores)
        l.backward()
        trainer.step(X.shape[0])
        total += float(l.mean().asscalar())
    return total
