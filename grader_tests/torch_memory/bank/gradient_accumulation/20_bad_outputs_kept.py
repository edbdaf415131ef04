# All predictions first, in parts; then one loss.
# breaks: 4
# kills: test_peak
# misconception: backward-forgets
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    outputs = [net(a) for a in X.tensor_split(parts)]
    loss(torch.cat(outputs), y).backward()
    optimizer.step()
