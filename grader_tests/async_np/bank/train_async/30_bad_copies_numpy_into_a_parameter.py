# Clips the bias by way of NumPy after each step: asnumpy waits, and the training is another one.
# breaks: 1, 2
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        for p in net.collect_params().values():
            p.set_data(np.array(numpy.clip(p.data().asnumpy(), -1, 1)))
    npx.waitall()
