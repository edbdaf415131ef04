# Waits for the weights after each step.
# breaks: 1
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        for p in net.collect_params().values():
            p.data().wait_to_read()
    npx.waitall()
