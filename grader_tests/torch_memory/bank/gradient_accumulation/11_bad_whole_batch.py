# One part, whatever was asked for.
# breaks: 4
# kills: test_parts, test_peak
# misconception: backward-forgets
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    loss(net(X), y).backward()
    optimizer.step()
