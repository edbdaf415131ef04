# The reference: the loss of each part, weighted.
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    for X_part, y_part in zip(X.tensor_split(parts), y.tensor_split(parts)):
        share = len(X_part) / len(X)
        (loss(net(X_part), y_part) * share).backward()
    optimizer.step()
