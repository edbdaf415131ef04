# A weight that two layers share is divided twice.
# breaks: 1
# kills: test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    for p in net.parameters():
        p.grad = None
    for some, wanted in zip(X.tensor_split(parts), y.tensor_split(parts)):
        (loss(net(some), wanted) * len(some)).backward()
    for module in net.modules():
        for p in module.parameters(recurse=False):
            if p.grad is not None:
                p.grad /= len(X)
    optimizer.step()
