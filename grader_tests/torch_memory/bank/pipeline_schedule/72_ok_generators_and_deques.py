# Generators, iterators and a class.
from itertools import chain, count, islice


class Stage:
    def __init__(self, behind, microbatches):
        self.room, self.total = behind + 1, microbatches

    def work(self):
        forward, backward = (map("{}{{}}".format(kind).format, count()) for kind in "FB")
        first = min(self.room, self.total)
        yield from islice(forward, first)
        for _ in range(self.total - first):
            yield next(backward)
            yield next(forward)
        yield from islice(backward, first)


def gpipe(stages, microbatches):
    return [list(chain.from_iterable([f"{kind}{m}" for m in range(microbatches)] for kind in "FB"))] * stages


def one_f_one_b(stages, microbatches):
    return [[*Stage(behind, microbatches).work()] for behind in reversed(range(stages))]
