# Sets the gradients to zero before each part: the last one alone counts.
# breaks: 1
# kills: test_extremes, test_frozen, test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
        optimizer.zero_grad()
        (loss(net(a), b) * len(a) / len(X)).backward()
    optimizer.step()
