# Old gradients are emptied after the step, so those from before the first call never are.
# breaks: 1
# kills: test_extremes, test_frozen, test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
        (loss(net(a), b) * len(a) / len(X)).backward()
    optimizer.step()
    optimizer.zero_grad()
