# Functional style: segments are folds.
from functools import partial, reduce


def checkpointed(blocks, x, budget):
    def apply(value, function):
        return function(value)

    def fold(functions, value):
        return reduce(apply, functions, value)

    count = int(numpy.sqrt(len(blocks)))
    cuts = [0, *numpy.cumsum([len(part) for part in numpy.array_split(range(len(blocks)), count)]).tolist()]
    segments = [partial(fold, blocks[a:b]) for a, b in zip(cuts, cuts[1:])]
    return fold([partial(checkpoint, segment, use_reentrant=False) for segment in segments], x)
