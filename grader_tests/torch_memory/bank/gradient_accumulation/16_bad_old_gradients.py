# Forgets the gradients of the batch before.
# breaks: 1
# kills: test_extremes, test_frozen, test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
        (loss(net(a), b) * len(a) / len(X)).backward()
    optimizer.step()
