# Frozen parameters are trained, and frozen again.
# breaks: 10
# kills: test_frozen
# misconception: reads-the-task
def accumulate(net, loss, optimizer, X, y, parts):
    asked = [p.requires_grad for p in net.parameters()]
    net.requires_grad_(True)
    optimizer.zero_grad()
    for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
        (loss(net(a), b) * (len(a) / len(X))).backward()
    optimizer.step()
    for p, was in zip(net.parameters(), asked):
        p.requires_grad_(was)
