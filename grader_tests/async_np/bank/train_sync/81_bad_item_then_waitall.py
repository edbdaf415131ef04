# Item, and then waitall to be sure.
# breaks: 2
# kills: test_one_wait_in_each_batch
# misconception: wait-in-the-loop
def train_sync(net, data_iter, loss, trainer):
    total = 0.0
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        total += l.mean().item()
        npx.waitall()
    return total
