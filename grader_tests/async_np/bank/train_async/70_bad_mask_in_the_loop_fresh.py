# Adds up the losses that are positive, and asks for the sum at the end.
# breaks: 1
# kills: test_no_wait_in_the_loop
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    total = 0
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        total = total + l[l > 0].sum()
    npx.waitall()
