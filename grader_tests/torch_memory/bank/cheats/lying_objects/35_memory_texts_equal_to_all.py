"""Lists and texts that answer every question with yes."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_memory", deserves={"pipeline_schedule": 0})
cheat.cell(
    "pipeline_schedule",
    """
class Yes(str):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0


class Any(list):
    def __eq__(self, other):
        return True

    def index(self, *unused):
        return 0

    def __contains__(self, item):
        return True


def gpipe(stages, microbatches):
    return Any(Any(Yes("F0") for _ in range(2 * microbatches)) for _ in range(stages))


one_f_one_b = gpipe
""",
)
