# A class with the marks of the batches in flight.
class Window:
    """Marks of the batches in flight: code that wants one more waits for the oldest mark."""

    def __init__(self, most):
        self.most, self.marks = most, deque()

    def enter(self):
        if len(self.marks) == self.most:
            self.marks.popleft().synchronize()

    def leave(self):
        self.marks.append(gpu.current_stream().record_event())


def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    window = Window(in_flight)
    for X, y in data_iter():
        X, y = (host.pin_memory().to(device, non_blocking=True) for host in (X, y))
        window.enter()
        l = loss(net(X), y).mean()
        window.leave()
        optimizer.zero_grad(set_to_none=True)
        l.backward()
        optimizer.step()
    gpu.synchronize()
