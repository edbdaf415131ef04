"""Names of pieces of work that are equal to every other name."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_streams", deserves={"overlap_report": 0})
cheat.cell("overlap_report", '''
class Name(str):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __str__(self):
        return self

    def __lt__(self, other):
        return False


class Pair(tuple):
    def __eq__(self, other):
        return True

    __hash__ = None


def overlap_report(spans):
    return [Pair((Name("a"), Name("b")))]
''')
