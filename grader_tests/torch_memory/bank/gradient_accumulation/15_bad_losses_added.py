# One backward for the sum of all losses: all graphs are kept.
# breaks: 4
# kills: test_peak
# misconception: backward-forgets
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    total = 0
    for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
        total = total + loss(net(a), b) * len(a) / len(X)
    total.backward()
    optimizer.step()
