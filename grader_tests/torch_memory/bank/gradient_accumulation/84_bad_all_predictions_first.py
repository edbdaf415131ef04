# All parts go forward, then all go backward, as in GPipe: the activations of all parts are there.
# breaks: 4
# kills: test_peak
# misconception: backward-forgets
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    values = [
        loss(net(some), right) * (len(some) / len(X)) for some, right in zip(X.tensor_split(parts), y.tensor_split(parts))
    ]
    while values:
        values.pop().backward()
    optimizer.step()
