# Divides all gradients in the end, also those that are None.
# breaks: 10
# kills: test_frozen
# misconception: reads-the-task
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
        (loss(net(a), b) * len(a)).backward()
    for p in net.parameters():
        p.grad.div_(len(X))
    optimizer.step()
