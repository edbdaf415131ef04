# Asks for the loss, and waits once more for the step of the same batch.
# breaks: 2
# kills: test_one_wait_in_each_batch
# misconception: wait-in-the-loop
def train_sync(net, data_iter, loss, trainer):
    total = 0.0
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        total += float(l.mean().item())
        l.backward()
        trainer.step(X.shape[0])
        npx.waitall()
    return total
