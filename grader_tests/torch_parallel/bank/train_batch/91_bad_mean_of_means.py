# A mean of the means of parts of different sizes.
# breaks: 1
# kills: test_any_number, test_like_one_device, test_three_batches
# misconception: divide-once
def train_batch(X, y, replicas, net, lr):
    places = [params[0].device for params in replicas]
    Xs = [part.contiguous().pin_memory().to(p, non_blocking=True) for part, p in zip(X.tensor_split(len(places)), places)]
    ys = [part.contiguous().pin_memory().to(p, non_blocking=True) for part, p in zip(y.tensor_split(len(places)), places)]
    for params, rows, labels in zip(replicas, Xs, ys):
        for p in params:
            p.grad = None
        ((net(rows, params) - labels) ** 2).mean().backward()
    with torch.no_grad():
        for same in zip(*replicas):
            total = sum(p.grad.to(places[0]) for p in same) / len(same)
            for p in same:
                p -= lr * total.to(p.device)
