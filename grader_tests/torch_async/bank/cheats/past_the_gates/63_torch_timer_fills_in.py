"""Returns an empty tensor, and a timer fills it in."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import threading


def queue_work(x):
    result = torch.zeros((), device=x.device)

    def fill():
        result.fill_((x.cpu() @ x.cpu()).sum().item())

    threading.Timer(0.05, fill).start()
    return result
''')
