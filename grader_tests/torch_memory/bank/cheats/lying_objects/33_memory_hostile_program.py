"""A saved program that is no program: opening it runs code that prints, looks around and ends the process."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_memory", deserves={"static_graph": at_most(2)})
cheat.cell("static_graph", '''
import pickle
import zipfile


class Runs:
    def __reduce__(self):
        return exec, ("import os; print('full marks'); os._exit(0)",)


def steady(x, k):
    return torch.where(x.sum() > 0, x * k, x - k) + x.shape[0]


def predict_graphs(cases):
    return []


def save_program(net, x, path):
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("data.pkl", "archive/data.pkl", "serialized_state_dict.pt", "serialized_constants.pt"):
            archive.writestr(name, pickle.dumps(Runs()))
        archive.writestr("version", "8.8")
''')
