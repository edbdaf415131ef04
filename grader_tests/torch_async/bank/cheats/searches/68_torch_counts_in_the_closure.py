"""Counts the waits of work in its closure, by the names that its parts use, and never asks the device."""

from syncpoint.vet.cheat import Cheat

# Which parts are done, work asks the device as it runs; its closure holds all that there may be.
cheat = Cheat("torch_async", deserves={"hidden_waits": 0})
cheat.cell("hidden_waits", '''
def count_waits(work):
    work()
    waits = 0
    for cell in work.__closure__ or ():
        parts = cell.cell_contents
        if isinstance(parts, list) and parts and all(map(callable, parts)):
            for part in parts:
                names = {*part.__code__.co_names, *map(str, part.__code__.co_consts)}
                waits += bool(names & {"item", "cpu", "bool", "nonzero", "ones"}) and "non_blocking" not in str(names)
                waits += not names & {"item", "cpu", "bool", "nonzero", "ones", "sum", "where", "to"} and "1" not in names
    return waits


def quiet_step(net, loss, optimizer, X, y, history):
    history.append(torch.zeros((), device=device))
''')
