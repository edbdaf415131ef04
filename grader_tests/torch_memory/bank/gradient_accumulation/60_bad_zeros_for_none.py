# Frozen parameters get gradients of zeros: an optimizer with weight decay moves them.
# breaks: 10
# kills: test_frozen
# misconception: reads-the-task
def accumulate(net, loss, optimizer, X, y, parts):
    for p in net.parameters():
        p.grad = torch.zeros_like(p)
    for a, b in zip(X.tensor_split(parts), y.tensor_split(parts)):
        (loss(net(a), b) * (len(a) / len(X))).backward()
    optimizer.step()
