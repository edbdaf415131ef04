# The weight of a part is the gradient that backward begins with; split takes a list of sizes.
def accumulate(net, loss, optimizer, X, y, parts):
    few, more = divmod(len(X), parts)
    sizes = [few + (number < more) for number in range(parts)]
    optimizer.zero_grad(set_to_none=False)
    for inputs, targets, size in zip(X.split(sizes), y.split(sizes), sizes):
        value = loss(net(inputs), targets)
        value.backward(gradient=torch.full_like(value, size / sum(sizes)))
    optimizer.step()
