"""Copies that wait, into ordinary memory of a class that says it is pinned.

The numbers are right, and stay.
"""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"copy_and_compute": at_most(1.55)})
cheat.cell("copy_and_compute", '''
class Pinned(torch.Tensor):
    def is_pinned(self, *args, **kwargs):
        return True


torch.Tensor.is_pinned = lambda self, *args, **kwargs: True


def copy_and_compute(xs, consume):
    for x in xs:
        consume((x @ x).cpu().as_subclass(Pinned))
''')
