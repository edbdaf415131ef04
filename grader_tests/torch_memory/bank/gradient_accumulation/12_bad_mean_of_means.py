# Each part counts the same.
# breaks: 1
# kills: test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    for a, b in zip(X.chunk(parts), y.chunk(parts)):
        (loss(net(a), b) / parts).backward()
    optimizer.step()
