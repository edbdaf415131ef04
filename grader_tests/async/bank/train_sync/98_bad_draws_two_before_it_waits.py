# Draws the next two batches before it waits for the loss of this one.
# breaks: 7
# kills: test_draws_when_needed
# misconception: queue-is-free
def train_sync(net, data_iter, loss, trainer):
    total, batches = 0.0, iter(data_iter())
    ready = [batch for batch in [next(batches, None)] if batch is not None]
    while ready:
        X, y = ready.pop(0)
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        for batch in batches:
            ready.append(batch)
            if len(ready) == 2:
                break
        total += l.mean().asscalar()
    return float(total)
