# Keeps the large losses by a boolean mask: nobody expects it to wait, and it does.
# breaks: 1
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    large = []
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        large.append(l[l > 1])
    npx.waitall()
