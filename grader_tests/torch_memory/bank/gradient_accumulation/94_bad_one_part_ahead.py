# Goes forward with the next part before it goes backward with the one before.
# breaks: 4
# kills: test_peak
# misconception: backward-forgets
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    before = None
    for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
        l = loss(net(a), b) * (len(a) / len(X))
        if before is not None:
            before.backward()
        before = l
    before.backward()
    optimizer.step()
