# Gradients by torch.autograd.grad, added up in a list of one's own.
def accumulate(net, loss, optimizer, X, y, parts):
    params = [p for p in net.parameters() if p.requires_grad]
    totals = [torch.zeros_like(p) for p in params]
    for some, right in zip(torch.tensor_split(X, parts), torch.tensor_split(y, parts)):
        part = loss(net(some), right)
        for total, gradient in zip(totals, torch.autograd.grad(part, params, allow_unused=True)):
            if gradient is not None:
                total.add_(gradient, alpha=len(some) / len(X))
    for p, total in zip(params, totals):
        p.grad = total
    optimizer.step()
