# Plain gradient descent with the trainer's rate, whatever trainer is given.
# breaks: 3
# misconception: divide-once
def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        for parameter in net.collect_params().values():
            parameter.set_data(parameter.data() - trainer.learning_rate / X.shape[0] * parameter.grad())
    nd.waitall()
