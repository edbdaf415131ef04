# detach takes the loss out of the graph; the sum is still an array.
# breaks: 5
# misconception: reads-the-task
def train_sync(net, data_iter, loss, trainer):
    l_sum = np.zeros(())
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        l_sum = l_sum + l.mean().detach()
        npx.waitall()
    return l_sum
