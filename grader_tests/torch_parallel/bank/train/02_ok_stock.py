# PyTorch's DistributedDataParallel; parts of neighbors.
from torch.nn.parallel import DistributedDataParallel


def train(rank, size, net, batches, lr, epochs):
    here = torch.device("simgpu", rank)
    model = DistributedDataParallel(net.to(here))
    optimizer = torch.optim.SGD(model.parameters(), lr)
    history = []
    for epoch in range(epochs):
        running = torch.zeros(1, device=here)
        for X, y in batches:
            a = X.tensor_split(size)[rank].pin_memory().to(here, non_blocking=True)
            b = y.tensor_split(size)[rank].pin_memory().to(here, non_blocking=True)
            optimizer.zero_grad()
            loss = nn.CrossEntropyLoss()(model(a), b)
            loss.backward()
            optimizer.step()
            running += loss.detach()
        dist.all_reduce(running)
        history.append(running.item() / (size * len(batches)))
    return model.module, history
