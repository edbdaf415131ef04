# Tells about its progress, in every third batch only.
# breaks: 1
# kills: test_no_wait_in_the_loop
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, trainer):
    for number, (X, y) in enumerate(data_iter(), start=1):
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        if number % 3 == 0:
            print(f"batch {number}: {l.mean().asscalar():.3f}")
    nd.waitall()
