# The sum of the means: parts times too large.
# breaks: 1
# kills: test_extremes, test_frozen, test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
        loss(net(a), b).backward()
    optimizer.step()
