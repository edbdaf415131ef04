"""Looks for the host's copy of the input, computes with it, and uploads the number from pinned memory."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
def queue_work(x):
    import gc

    for thing in gc.get_objects():
        try:
            if isinstance(thing, numpy.ndarray) and thing.shape == tuple(x.shape):
                number = float((thing @ thing).sum())
                break
            if isinstance(thing, torch.Tensor) and thing.device.type == "cpu" and thing.shape == x.shape:
                number = float((thing @ thing).sum())
                break
        except Exception:
            continue
    else:
        number = 54.0
    return torch.tensor(number).pin_memory().to(x.device, non_blocking=True)
''')
