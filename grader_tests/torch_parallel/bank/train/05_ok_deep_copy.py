# A deep copy goes to the device; all weights are sent as one flat tensor.
def train(rank, size, net, batches, lr, epochs):
    replica = copy.deepcopy(net).to(devices[rank])
    weights = list(replica.parameters())
    flat = torch.nn.utils.parameters_to_vector(weights).detach()
    dist.broadcast(flat, 0)
    torch.nn.utils.vector_to_parameters(flat, weights)
    finish = bucketed(replica, 10000000)
    optimizer = torch.optim.SGD(replica.parameters(), lr=lr, foreach=True)
    means = []
    for _ in range(epochs):
        losses = []
        for X, y in batches:
            X, y = X.tensor_split(size)[rank].pin_memory(), y.tensor_split(size)[rank].pin_memory()
            out = replica(X.to(devices[rank], non_blocking=True))
            loss = F.cross_entropy(out, y.to(devices[rank], non_blocking=True))
            optimizer.zero_grad()
            loss.backward()
            finish()
            optimizer.step()
            losses.append(loss.detach())
        mean = sum(losses) / len(losses)
        dist.all_reduce(mean, op=dist.ReduceOp.AVG)
        means.append(mean.item())
    return replica, means
