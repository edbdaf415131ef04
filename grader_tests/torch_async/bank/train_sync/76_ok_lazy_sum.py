# A generator trains, and sum() pulls the losses one by one, each by float.
def train_sync(net, data_iter, loss, optimizer):
    def losses():
        for X, y in data_iter():
            optimizer.zero_grad()
            mean = loss(net(X.to(device)), y.to(device)).mean()
            mean.backward()
            optimizer.step()
            yield mean

    total = float(sum(float(mean) for mean in losses()))
    gpu.synchronize()
    return total
