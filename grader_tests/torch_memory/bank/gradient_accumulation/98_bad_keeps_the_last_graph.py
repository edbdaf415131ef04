# retain_graph: while a part goes forward, the activations of the previous one are still there.
# breaks: 4
# kills: test_peak
# misconception: backward-forgets
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
        value = loss(net(a), b) * (len(a) / len(X))
        value.backward(retain_graph=True)
    optimizer.step()
