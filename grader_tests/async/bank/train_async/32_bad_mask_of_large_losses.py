# Picks out the large losses with a boolean mask, whose size the engine must know at once.
# breaks: 1
# kills: test_no_wait_in_the_loop
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    large = []
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        large.append(nd.contrib.boolean_mask(l, l > 1))
    nd.waitall()
