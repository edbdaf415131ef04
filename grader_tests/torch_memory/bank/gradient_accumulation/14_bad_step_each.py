# A step after each part.
# breaks: 5
# kills: test_extremes, test_frozen, test_one_step, test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
        optimizer.zero_grad()
        (loss(net(a), b) * len(a) / len(X)).backward()
        optimizer.step()
