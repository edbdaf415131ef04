# The parts are of float32, whatever the type of the network.
# breaks: 1
# kills: test_frozen
# misconception: reads-the-task
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    for a, b in zip(X.float().tensor_split(parts), y.float().tensor_split(parts)):
        (loss(net(a), b) * (len(a) / len(X))).backward()
    optimizer.step()
