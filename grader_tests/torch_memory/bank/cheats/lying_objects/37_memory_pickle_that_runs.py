"""A file that runs code when it is loaded: a pickle that builds the class again."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_memory", deserves={"static_graph": 0})
cheat.cell(
    "static_graph",
    r"""
class Bomb:
    def __reduce__(self):
        return (exec, ("import os, torch\ntorch.export.load = lambda *a, **k: 1\nopen('/tmp/was_here', 'w').close()",))


def save_program(net, x, path):
    torch.save(Bomb(), path)


def steady(x, k):
    return x.tolist()


def predict_graphs(cases):
    return [0 for _ in cases]
""",
)
