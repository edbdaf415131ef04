# Plain gradient descent with the trainer's rate, whatever trainer is given.
# breaks: 5
# misconception: divide-once
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    flying = []
    for X, y in data_iter():
        if len(flying) == in_flight:
            flying.pop(0).wait_to_read()
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        for parameter in net.collect_params().values():
            parameter.set_data(parameter.data() - trainer.learning_rate / X.shape[0] * parameter.grad())
        flying.append(batch_loss)
    nd.waitall()
