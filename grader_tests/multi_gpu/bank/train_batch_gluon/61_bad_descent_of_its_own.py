# Plain gradient descent with the trainer's rate, whatever trainer is given.
# breaks: 2
# misconception: divide-once
def train_batch_gluon(X, y, net, loss, trainer, ctx):
    shards = zip(gutils.split_and_load(X, ctx), gutils.split_and_load(y, ctx))
    with autograd.record():
        losses = [loss(net(part), labels) for part, labels in shards]
    for one in losses:
        one.backward()
    for parameter in net.collect_params().values():
        gradients = parameter.list_grad()
        total = sum((other.copyto(gradients[0].context) for other in gradients[1:]), gradients[0])
        for weights in parameter.list_data():
            weights[:] -= trainer.learning_rate / len(X) * total.as_in_context(weights.context)
