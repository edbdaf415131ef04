"""Looks in the collector's objects for arrays of the right shapes that somebody has computed already."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"train_batch": at_most(2.5)})
cheat.cell(
    "train_batch",
    """
def train_batch(X, y, replicas, net, lr):
    import gc

    with torch.no_grad():
        for params in replicas:
            for p in params:
                for other in gc.get_objects():
                    if type(other) is numpy.ndarray and other.shape == tuple(p.shape):
                        p.copy_(torch.from_numpy(other.astype("float32")).pin_memory(), non_blocking=True)
                        break
""",
)
