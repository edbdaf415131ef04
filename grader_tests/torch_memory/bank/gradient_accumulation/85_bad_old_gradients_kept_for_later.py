# Gradients are set to None behind the step only: those of before count in the first one.
# breaks: 6
# kills: test_extremes, test_frozen, test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    for some, right in zip(X.tensor_split(parts), y.tensor_split(parts)):
        (loss(net(some), right) * (len(some) / len(X))).backward()
    optimizer.step()
    optimizer.zero_grad()
