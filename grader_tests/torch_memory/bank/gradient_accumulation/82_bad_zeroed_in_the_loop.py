# Only the gradient of the last part is left.
# breaks: 1
# kills: test_extremes, test_frozen, test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    for some, right in zip(X.chunk(parts), y.chunk(parts)):
        optimizer.zero_grad()
        (loss(net(some), right) * (len(some) / len(X))).backward()
    optimizer.step()
