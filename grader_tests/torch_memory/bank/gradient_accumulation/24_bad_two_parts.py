# Two parts, whatever was asked for.
# breaks: 4
# kills: test_parts, test_peak
# misconception: backward-forgets
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    for a, b in zip(X.chunk(2), y.chunk(2)):
        (loss(net(a), b) * len(a) / len(X)).backward()
    optimizer.step()
