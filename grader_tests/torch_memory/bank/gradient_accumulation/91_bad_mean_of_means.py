# Divides every part by the number of parts.
# breaks: 1
# kills: test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    for rows, labels in zip(X.tensor_split(parts), y.tensor_split(parts)):
        (loss(net(rows), labels) / parts).backward()
    optimizer.step()
