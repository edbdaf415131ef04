# wait_to_read on the loss after the step, the figures taken when the loop is over.
def train_sync(net, data_iter, loss, trainer):
    means = []
    for features, labels in data_iter():
        with autograd.record():
            batch_loss = loss(net(features), labels)
        batch_loss.backward()
        trainer.step(features.shape[0])
        batch_loss.wait_to_read()
        means.append(np.mean(batch_loss))
    return sum(float(mean) for mean in means)
