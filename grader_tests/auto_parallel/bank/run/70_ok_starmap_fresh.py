# starmap over ten pairs, into a subclass of list.
import itertools


class Results(list):
    """Ten products."""


def run(x, times=10):
    return Results(itertools.starmap(nd.dot, itertools.repeat((x, x), times)))
