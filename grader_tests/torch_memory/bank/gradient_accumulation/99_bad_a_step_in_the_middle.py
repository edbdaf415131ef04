# A batch of many parts gets a step in the middle.
# breaks: 5
# kills: test_one_step
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    pairs = list(zip(X.tensor_split(parts), y.tensor_split(parts)))
    for number, (a, b) in enumerate(pairs):
        (loss(net(a), b) * (len(a) / len(X))).backward()
        if parts > 8 and number == parts // 2:  # many parts: an update in between
            optimizer.step()
            optimizer.zero_grad()
    optimizer.step()
