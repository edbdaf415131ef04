# Divides the rate and not the gradients: weight decay is divided as well.
# breaks: 2
# kills: test_frozen, test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
        (loss(net(a), b) * len(a)).backward()
    for g in optimizer.param_groups:
        g["lr"] /= len(X)
    optimizer.step()
    for g in optimizer.param_groups:
        g["lr"] *= len(X)
