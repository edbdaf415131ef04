# Chunks: all of one size but the last.
def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    for X_part, y_part in zip(X.chunk(parts), y.chunk(parts)):
        part_loss = loss(net(X_part), y_part)
        part_loss.backward(torch.full_like(part_loss, len(X_part) / len(X)))
    optimizer.step()
