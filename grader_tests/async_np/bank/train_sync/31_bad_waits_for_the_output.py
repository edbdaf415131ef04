# Waits for what the network said, and not for the loss: the loss and the update may still be waiting.
# breaks: 1
# kills: test_one_batch_in_flight
# misconception: any-wait-will-do
def train_sync(net, data_iter, loss, trainer):
    means = []
    for X, y in data_iter():
        with autograd.record():
            out = net(X)
            l = loss(out, y)
        l.backward()
        trainer.step(X.shape[0])
        means.append(l.mean())
        out.wait_to_read()
    return sum(float(m.item()) for m in means)
