# Gradients are set to None only after the step: older ones count in the first step.
# breaks: 6
# kills: test_extremes, test_frozen, test_weights
# misconception: gradients-add-up
def accumulate(net, loss, optimizer, X, y, parts):
    for some, right in zip(X.tensor_split(parts), y.tensor_split(parts)):
        (loss(net(some), right) * (len(some) / len(X))).backward()
    optimizer.step()
    optimizer.zero_grad()
