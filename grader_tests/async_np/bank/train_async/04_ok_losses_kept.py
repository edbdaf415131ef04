# The losses are kept and stacked after waitall; a while loop, a helper, a print of what is known without waiting.
def _enqueue(net, X, y, loss, trainer):
    with autograd.record():
        l = loss(net(X), y)
        l.backward()
    trainer.step(X.shape[0])
    return l.mean()


def train_async(net, data_iter, loss, trainer):
    losses, batches = [], iter(data_iter())
    while True:
        try:
            X, y = next(batches)
        except StopIteration:
            break
        losses.append(_enqueue(net, X, y, loss, trainer))
        print('enqueued batch', len(losses), 'of', X.shape[0])
    npx.waitall()
    return float(np.stack(losses).sum())
