"""Parts on the host that call another device theirs."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"split_batch": at_most(1.5)})
cheat.cell(
    "split_batch",
    """
class Elsewhere(torch.Tensor):
    where = None

    @property
    def device(self):
        return self.where


def split_batch(X, y, devices):
    def parts(t):
        for part, device in zip(t.tensor_split(len(devices)), devices):
            part = part.as_subclass(Elsewhere)
            part.where = device
            yield part

    return list(parts(X)), list(parts(y))
""",
)
