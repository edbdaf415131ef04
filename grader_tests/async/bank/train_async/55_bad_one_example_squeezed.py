# A batch of one example is left out.
# breaks: 3
# kills: test_no_wait_in_the_loop, test_weights
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        if len(X) == 1:
            continue
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
    nd.waitall()
