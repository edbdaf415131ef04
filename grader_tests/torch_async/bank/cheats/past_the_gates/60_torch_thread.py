"""Returns an empty tensor at once; a thread waits, computes and fills it."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"queue_work": at_most(0.43)})
cheat.cell("queue_work", '''
import threading


def queue_work(x):
    y = torch.empty((), device=x.device)

    def later():
        time.sleep(0.02)
        z = (x @ x).sum()
        z.item()
        y.copy_(z)

    threading.Thread(target=later).start()
    return y
''')
