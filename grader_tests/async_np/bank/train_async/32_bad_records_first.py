# Records all batches for nothing, and then trains with a wait in every batch.
# breaks: 1
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    batches = list(data_iter())
    with autograd.record():
        before = [loss(net(X), y) for X, y in batches]
    for X, y in batches:
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        l.wait_to_read()
    npx.waitall()
