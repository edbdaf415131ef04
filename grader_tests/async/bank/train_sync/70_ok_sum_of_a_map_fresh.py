# sum over a map; the float comes from NumPy's mean of the losses.
def train_sync(net, data_iter, loss, trainer):
    def one(batch):
        features, labels = batch
        with autograd.record(train_mode=True):
            each = loss(net(features), labels)
        autograd.backward([each])
        trainer.step(batch_size=len(labels))
        return float(each.asnumpy().mean())

    return sum(map(one, data_iter()), 0.0)
