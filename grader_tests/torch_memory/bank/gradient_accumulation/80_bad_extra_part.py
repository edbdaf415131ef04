# Steps of n // parts rows: what is left goes through as one more, small part.
# breaks: 3
# kills: test_parts
# misconception: reads-the-task
def accumulate(net, loss, optimizer, X, y, parts):
    size = len(X) // parts
    optimizer.zero_grad()
    for start in range(0, len(X), size):
        some, right = X[start : start + size], y[start : start + size]
        (loss(net(some), right) * len(some) / len(X)).backward()
    optimizer.step()
