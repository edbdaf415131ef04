# It does not wait for large batches before the end.
# breaks: 1
# kills: test_one_batch_in_flight, test_one_wait_in_each_batch
# misconception: any-wait-will-do
def train_sync(net, data_iter, loss, trainer):
    total, later = 0.0, []
    for X, y in data_iter():
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
        if len(X) >= 100:
            later.append(batch_loss.mean())
        else:
            total += float(batch_loss.mean().asscalar())
    return total + sum(float(one.asscalar()) for one in later)
