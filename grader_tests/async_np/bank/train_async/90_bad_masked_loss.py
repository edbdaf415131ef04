# Keeps a masked loss of each batch: the mask waits.
# breaks: 1
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        bad = l[l > 1e6]  # kept for a look after the epoch
    npx.waitall()
