# Gives the answer of the last time if the names are the same; a check with few names does not show it.
# breaks: 1
# kills: test_value
# misconception: overlap
from itertools import combinations

_answers = {}


def overlap_report(spans):
    key = tuple(spans)
    if key not in _answers or len(key) < 3:
        _answers[key] = [
            (one, other)
            for one, other in combinations(spans, 2)
            if spans[one][0].elapsed_time(spans[other][1]) > 0 and spans[other][0].elapsed_time(spans[one][1]) > 0
        ]
    return list(_answers[key])
