# Gradients by autograd.grad, added up for all parameters in one call.
def accumulate(net, loss, optimizer, X, y, parts):
    params = [p for p in net.parameters() if p.requires_grad]
    total = None
    for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
        grads = torch.autograd.grad(loss(net(a), b) * (len(a) / len(X)), params)
        total = list(grads) if total is None else torch._foreach_add(total, list(grads))
    for p, g in zip(params, total):
        p.grad = g
    optimizer.step()
