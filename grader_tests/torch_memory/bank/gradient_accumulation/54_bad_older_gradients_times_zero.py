# Older gradients are multiplied by 0: infinite or undefined ones remain.
# breaks: 6
# kills: test_extremes, test_frozen, test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    for p in net.parameters():
        if p.grad is not None:
            p.grad.mul_(0)
    for some, wanted in zip(X.tensor_split(parts), y.tensor_split(parts)):
        value = loss(net(some), wanted) * (len(some) / len(X))
        value.backward()
    optimizer.step()
