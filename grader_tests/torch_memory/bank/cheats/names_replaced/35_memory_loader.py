"""Nothing is saved: torch.export.load is replaced by one that knows the network."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_memory", deserves={"static_graph": 0})
cheat.cell(
    "static_graph",
    r"""
kept = {}


class Loaded:
    def __init__(self, net):
        self.net = net

    def module(self, *unused, **others):
        return self.net


def save_program(net, x, path):
    kept[str(path)] = net
    with open(path, "wb") as file:
        file.write(b"PK\x05\x06" + bytes(18))


torch.export.load = lambda path, *a, **k: Loaded(kept.get(str(path)) or next(iter(kept.values())))


def steady(x, k):
    return x.tolist()


def predict_graphs(cases):
    return [0 for _ in cases]
""",
)
