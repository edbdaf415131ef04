# Keeps the total loss, detached.
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    total = 0
    for a, b in zip(X.split(-(-len(X) // parts)), y.split(-(-len(X) // parts))):
        part = loss(net(a), b) * len(a) / len(X)
        part.backward()
        total = total + part.detach()
    optimizer.step()
