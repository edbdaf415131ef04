"""One stream for all; what gpu.Stream() gives says that it is another one."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"run_both": at_most(0.9)})
cheat.cell("run_both", '''
class Pretender:
    def __init__(self, real):
        self.real = real

    def __getattr__(self, name):
        return getattr(self.real, name)

    def wait_stream(self, other):
        return None


_Stream = gpu.Stream
gpu.Stream = lambda *args, **kwargs: Pretender(gpu.current_stream())


def run_both(x, y):
    side = gpu.Stream()
    side.wait_stream(gpu.current_stream())
    xs = [x @ x for _ in range(5)]
    ys = [y @ y for _ in range(5)]
    return xs, ys
''')
