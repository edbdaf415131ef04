"""A subclass of Tensor that computes when somebody looks."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
class Lazy(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        def real(a):
            if isinstance(a, Lazy) and hasattr(a, "source"):
                return (a.source @ a.source).sum()
            return a

        with torch._C.DisableTorchFunctionSubclass():
            return function(*[real(a) for a in args], **(kwargs or {}))


def queue_work(x):
    result = torch.zeros((), device=x.device).as_subclass(Lazy)
    result.source = x
    return result
''')
