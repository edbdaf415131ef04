# An assertion on each part's loss waits for it.
# breaks: 7
# kills: test_no_wait
# misconception: wait-in-the-loop
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    for some, right in zip(X.tensor_split(parts), y.tensor_split(parts)):
        value = loss(net(some), right)
        assert not torch.isnan(value), "the loss is not a number"
        (value * (len(some) / len(X))).backward()
    optimizer.step()
