# Sums first, and divides the gradients at the end.
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    for a, b in zip(torch.tensor_split(X, parts), torch.tensor_split(y, parts)):
        (loss(net(a), b) * len(a)).backward()
    for p in filter(lambda p: p.requires_grad, net.parameters()):
        p.grad /= len(X)
    optimizer.step()
