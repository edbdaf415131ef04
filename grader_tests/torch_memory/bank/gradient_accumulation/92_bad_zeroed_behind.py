# Sets the gradients to zero after the step and not before.
# breaks: 6
# kills: test_extremes, test_frozen, test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    total = 0
    for rows, labels in zip(X.tensor_split(parts), y.tensor_split(parts)):
        l = loss(net(rows), labels) * (len(rows) / len(X))
        l.backward()
        total = total + l.detach()
    optimizer.step()
    optimizer.zero_grad()
