# PyTorch's own class, and a generator that sends the next batch ahead.
from torch.nn.parallel import DistributedDataParallel


def train(rank, size, net, batches, lr, epochs):
    here = devices[rank]

    def ahead():
        waiting = None
        for pair in batches:
            sent = [t.tensor_split(size)[rank].pin_memory().to(here, non_blocking=True) for t in pair]
            if waiting is not None:
                yield waiting
            waiting = sent
        yield waiting

    parallel = DistributedDataParallel(net.to(here))
    optimizer = torch.optim.SGD(parallel.parameters(), lr)
    history = []
    for _ in range(epochs):
        losses = []
        for X, y in ahead():
            optimizer.zero_grad(set_to_none=True)
            loss = F.cross_entropy(parallel(X), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.detach())
        mean = torch.stack(losses).mean()
        dist.all_reduce(mean, op=dist.ReduceOp.AVG)
        history.append(float(mean))
    return parallel.module, history
