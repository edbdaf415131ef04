# Writes down the update of plain gradient descent.
# breaks: 2
# kills: test_extremes, test_frozen, test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    for X_part, y_part in zip(X.tensor_split(parts), y.tensor_split(parts)):
        share = len(X_part) / len(X)
        (loss(net(X_part), y_part) * share).backward()
    with torch.no_grad():
        for p in net.parameters():
            p -= optimizer.param_groups[0]["lr"] * p.grad
