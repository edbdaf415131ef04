# Backward for each part, but every graph is retained, with all activations.
# breaks: 4
# kills: test_peak
# misconception: backward-forgets
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    losses = []
    for some, right in zip(X.tensor_split(parts), y.tensor_split(parts)):
        losses.append(loss(net(some), right) * (len(some) / len(X)))
        losses[-1].backward(retain_graph=True)
    optimizer.step()
