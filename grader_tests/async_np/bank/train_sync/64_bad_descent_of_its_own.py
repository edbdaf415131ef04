# Plain gradient descent with the trainer's rate, whatever trainer is given.
# breaks: 4
# misconception: divide-once
def train_sync(net, data_iter, loss, trainer):
    total = 0.0
    for X, y in data_iter():
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        for parameter in net.collect_params().values():
            parameter.set_data(parameter.data() - trainer.learning_rate / X.shape[0] * parameter.grad())
        total += float(batch_loss.mean().item())
    return total
