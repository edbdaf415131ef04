# Old gradients are emptied behind the step, and so never those of before the first call.
# breaks: 1
# kills: test_extremes, test_frozen, test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
        (loss(net(a), b) * len(a) / len(X)).backward()
    optimizer.step()
    optimizer.zero_grad()
