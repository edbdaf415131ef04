# Follows the largest loss with np.maximum: a comparison that stays in the engine and waits for nothing.
def train_async(net, data_iter, loss, trainer):
    largest = np.zeros(())
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        autograd.backward([l])
        trainer.step(X.shape[0])
        largest = np.maximum(largest, l.max())
    npx.waitall()
    return largest
