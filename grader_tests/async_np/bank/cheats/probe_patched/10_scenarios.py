"""Replaces the scenarios of the assignment by one that reports a right clock."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat(
    "async_np",
    deserves={"benchmark": 0},
    known="the probe shares the process of the code that it watches",
)
cheat.cell("benchmark", '''
def timed_blocks(probe, **asked):
    words = asked["arguments"] or ["time"]
    print(f"{words[0]}: 0.0300 sec")
    for inner in asked["nested"] or ():
        print(f"{inner}: 0.0300 sec")
    return {"error": None, "brackets": [[0.03, 0.03]] * 2, "passed_on": True, "waited": False, "events": []}


get_ipython().kernel._probe._scenarios["timed_blocks"] = timed_blocks
''')
