# All that is left over goes into the last part.
# breaks: 3
# kills: test_peak
# misconception: backward-forgets
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    h = len(X) // parts
    for n in range(parts):
        s = slice(n * h, (n + 1) * h if n < parts - 1 else len(X))
        (loss(net(X[s]), y[s]) * len(X[s]) / len(X)).backward()
    optimizer.step()
