# The event is right after the loss, before the backward pass; a helper class holds the limit.
class Limit:
    def __init__(self, size):
        self.size, self.marks = size, deque()

    def before(self):
        while len(self.marks) >= self.size:
            self.marks.popleft().synchronize()

    def mark(self):
        self.marks.append(gpu.current_stream().record_event())


def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    limit = Limit(in_flight)
    for X, y in data_iter():
        limit.before()
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        l = loss(net(X), y).mean()
        limit.mark()
        optimizer.zero_grad()
        l.backward()
        optimizer.step()
    torch.accelerator.synchronize()
