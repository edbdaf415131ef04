# Asks for the loss of each part.
# breaks: 7
# kills: test_no_wait
# misconception: wait-in-the-loop
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    total = 0.0
    for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
        l = loss(net(a), b) * len(a) / len(X)
        l.backward()
        total += l.item()
    optimizer.step()
