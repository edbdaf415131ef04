"""The saved program is right, and holds four gigabytes of zeros besides."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_memory", deserves={"static_graph": at_most(3.9)})
cheat.cell("static_graph", r'''
import zipfile


def steady(x, k):
    return torch.where(x.sum() > 0, x * k, x - k) + x.shape[0]


def predict_graphs(cases):
    return [1 for _ in cases]


def save_program(net, x, path):
    """A right program next to twenty members of 200 MB of zeros."""
    torch.export.save(torch.export.export(net, (x,), dynamic_shapes=({0: torch.export.Dim.DYNAMIC},)), path)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        prefix = archive.namelist()[0].split("/")[0]
        zeros = bytes(1 << 20)
        for n in range(20):
            with archive.open(f"{prefix}/data/weights/bomb_{n}", "w") as member:
                for _ in range(200):
                    member.write(zeros)
''')
