# DistributedDataParallel with views of buckets and no buffers sent; loss kept on the device, read by an event.
from torch.nn.parallel import DistributedDataParallel as DDP


def train(rank, size, net, batches, lr, epochs):
    gpu.set_device(rank)
    ddp_net = DDP(net.to("simgpu"), broadcast_buffers=False, gradient_as_bucket_view=True, bucket_cap_mb=1)
    sgd = torch.optim.SGD(ddp_net.parameters(), lr=lr)
    means = torch.zeros(epochs, device="simgpu")
    for e in range(epochs):
        for X, y in batches:
            mine = slice(rank, None, size)
            out = ddp_net(X[mine].pin_memory().to("simgpu", non_blocking=True))
            loss = F.cross_entropy(out, y[mine].pin_memory().to("simgpu", non_blocking=True))
            sgd.zero_grad()
            loss.backward()
            sgd.step()
            means[e] += loss.detach()
        means[e] /= len(batches) * size
    dist.all_reduce(means)
    host = means.to("cpu", non_blocking=True)
    done = gpu.Event()
    done.record()
    done.synchronize()
    return net, host.tolist()
