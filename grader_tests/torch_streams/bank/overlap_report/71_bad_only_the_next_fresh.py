# Sorted by their starts, and each compared with the next one only.
# breaks: 1
# kills: test_value
# misconception: overlap
from functools import cmp_to_key


def overlap_report(spans):
    def earlier(a, b):
        return -1 if spans[a][0].elapsed_time(spans[b][0]) > 0 else 1

    names = sorted(spans, key=cmp_to_key(earlier))
    return [(a, b) for a, b in zip(names, names[1:]) if spans[b][0].elapsed_time(spans[a][1]) > 0]
