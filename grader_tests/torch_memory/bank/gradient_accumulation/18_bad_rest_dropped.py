# Whole parts alone: the rest of the batch is never seen.
# breaks: 1
# kills: test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    size = len(X) // parts
    optimizer.zero_grad()
    for k in range(parts):
        a, b = X[k * size : (k + 1) * size], y[k * size : (k + 1) * size]
        (loss(net(a), b) / parts).backward()
    optimizer.step()
