# Writes down a loss.
# breaks: 2
# kills: test_extremes, test_frozen, test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    for X_part, y_part in zip(X.tensor_split(parts), y.tensor_split(parts)):
        share = len(X_part) / len(X)
        (((net(X_part) - y_part) ** 2).mean() * share).backward()
    optimizer.step()
