# Rank 0 trains alone and sends the result.
# breaks: 2
# kills: test_a_part_each, test_no_race, test_no_wait_in_an_epoch, test_resnet
# misconception: work-not-done
def train(rank, size, net, batches, lr, epochs):
    here = devices[rank]
    net = net.to(here)
    losses = torch.zeros(epochs, device=here)
    if rank == 0:
        optimizer = torch.optim.SGD(net.parameters(), lr=lr)
        for epoch in range(epochs):
            for X, y in batches:
                optimizer.zero_grad()
                X, y = (t.pin_memory().to(here, non_blocking=True) for t in (X, y))
                loss = F.cross_entropy(net(X), y)
                loss.backward()
                optimizer.step()
                losses[epoch] += loss.detach() / len(batches)
    for t in [losses, *net.parameters()]:
        dist.broadcast(t.detach(), 0)
    return net, losses.tolist()
