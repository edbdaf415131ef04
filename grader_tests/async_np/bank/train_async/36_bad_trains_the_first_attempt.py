# Waits for a first attempt of each batch, records a second one for nothing, and makes the step of the first.
# breaks: 1
# kills: test_no_wait_in_the_loop
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        l.wait_to_read()
        with autograd.record():
            loss(net(X), y)
        trainer.step(X.shape[0])
    npx.waitall()
