"""Numbers and texts that are equal to whatever they are compared with."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_memory", deserves={"fsdp_counts": 0, "pipeline_schedule": 0})
cheat.cell("fsdp_counts", '''
class Any(int):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = int.__hash__


def fsdp_counts(layers, wrapping, reshard, passes):
    return Any(1), Any(1)
''')
cheat.cell("pipeline_schedule", '''
class Word(str):
    def __eq__(self, other):
        return True

    def __lt__(self, other):
        return False

    __hash__ = str.__hash__


class Lists(list):
    def __len__(self):
        return 1 << 20


def gpipe(stages, microbatches):
    return Lists([[Word("F0")]] * stages)


def one_f_one_b(stages, microbatches):
    return Lists([[Word("F0")]] * stages)
''')
