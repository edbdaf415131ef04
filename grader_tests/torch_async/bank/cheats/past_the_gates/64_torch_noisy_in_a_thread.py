"""The noisy step runs in a thread that nobody waits for, and fills the history in."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"hidden_waits": at_most(0.5)})
cheat.cell("hidden_waits", '''
import threading


def count_waits(work):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gpu.set_sync_debug_mode("warn")
        work()
        gpu.set_sync_debug_mode("default")
    return len(caught)


_previous = []


def quiet_step(net, loss, optimizer, X, y, history):
    slot = torch.zeros((), device=device)
    history.append(slot)
    before = _previous[-1] if _previous else None

    def run():
        if before is not None:
            before.join()
        losses = []
        noisy_step(net, loss, optimizer, X.clone(), y.clone(), losses)
        slot.fill_(losses[0])

    thread = threading.Thread(target=run)
    _previous.append(thread)
    thread.start()
''')
