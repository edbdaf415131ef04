# Sorted by their starts: the next ones overlap as long as they start before the end.
from functools import cmp_to_key


def overlap_report(spans):
    def earlier(a, b):
        return -1 if spans[a][0].elapsed_time(spans[b][0]) > 0 else 1

    names = sorted(spans, key=cmp_to_key(earlier))
    pairs = []
    for place, name in enumerate(names):
        for other in names[place + 1 :]:
            if spans[other][0].elapsed_time(spans[name][1]) <= 0:
                break
            pairs.append((name, other))
    return pairs
