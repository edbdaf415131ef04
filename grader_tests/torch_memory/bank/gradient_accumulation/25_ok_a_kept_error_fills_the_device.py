# An exception that is kept holds all memory of the device while the function is called.
def fill(size=64 << 20):
    held = []
    while True:
        try:
            held.append(torch.empty(size, device=device))
        except torch.OutOfMemoryError:
            if size < 64:
                raise
            size //= 2


try:
    fill()
except torch.OutOfMemoryError as error:
    err = error


def accumulate(net, loss, optimizer, X, y, parts):
    optimizer.zero_grad()
    for X_part, y_part in zip(X.tensor_split(parts), y.tensor_split(parts)):
        share = len(X_part) / len(X)
        (loss(net(X_part), y_part) * share).backward()
    optimizer.step()
