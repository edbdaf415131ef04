"""The waits are done by a thread that nobody waits for."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"train_bounded": at_most(1.27)})
cheat.cell("train_bounded", '''
import queue
import threading


def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    line = queue.Queue()

    def waiter():
        for event in iter(line.get, None):
            event.synchronize()

    threading.Thread(target=waiter, daemon=True).start()
    events = []
    for t, (X, y) in enumerate(data_iter()):
        X = X.pin_memory().to(device, non_blocking=True)
        y = y.pin_memory().to(device, non_blocking=True)
        if t >= in_flight:
            line.put(events[t - in_flight])
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        events.append(gpu.current_stream().record_event())
    line.put(None)
    gpu.synchronize()
''')
