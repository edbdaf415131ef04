# Adds each loss to a total that holds on to its graph, and goes backward with retain_graph.
# breaks: 4
# kills: test_peak
# misconception: backward-forgets
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    total = 0
    for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
        l = loss(net(a), b) * len(a) / len(X)
        l.backward(retain_graph=True)
        total = total + l
    optimizer.step()
    return None
