# Takes the batch for a matrix.
# breaks: 9
# kills: test_extremes
# misconception: reads-the-task
def accumulate(net, loss, optimizer, X, y, parts):
    rows, columns = X.shape
    optimizer.zero_grad()
    for X_part, y_part in zip(X.tensor_split(parts), y.tensor_split(parts)):
        share = len(X_part) / rows
        (loss(net(X_part), y_part) * share).backward()
    optimizer.step()
