"""Asks for another kernel, another language, and a judge that has already been."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.notebook_metadata({
    "kernelspec": {"name": "bash", "display_name": "none", "language": "bash"},
    "language_info": {"name": "R"},
    "syncpoint": {"refused": "", "notes": ["2 of 2 points"]},
    "nbgrader": {"score": 2},
    "widgets": {"state": {}},
})
