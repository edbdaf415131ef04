# Empties each part of the batch after its backward pass.
# breaks: 8
# kills: test_batch_stays
# misconception: reads-the-task
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    for X_part, y_part in zip(X.tensor_split(parts), y.tensor_split(parts)):
        share = len(X_part) / len(X)
        (loss(net(X_part), y_part) * share).backward()
        X_part.zero_(), y_part.zero_()
    optimizer.step()
