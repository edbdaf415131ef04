"""Copies that wait, into ordinary memory of a class that says it is pinned."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_streams", deserves={"copy_and_compute": 0})
cheat.cell("copy_and_compute", '''
class Pinned(torch.Tensor):
    def is_pinned(self, *args, **kwargs):
        return True


torch.Tensor.is_pinned = lambda self, *args, **kwargs: True


def copy_and_compute(xs, consume):
    for x in xs:
        consume((x @ x).cpu().as_subclass(Pinned))
''')
