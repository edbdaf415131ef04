# itertools.combinations, and a function that says whether one is over before the other.
from itertools import combinations


def overlap_report(spans):
    def over_before(a, b):
        return spans[a][1].elapsed_time(spans[b][0]) >= 0

    return [pair for pair in combinations(spans, 2) if not over_before(*pair) and not over_before(*pair[::-1])]
