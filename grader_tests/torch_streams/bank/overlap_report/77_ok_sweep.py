# Sorts all beginnings and ends, and goes through them with a set of what is open.
import functools


def overlap_report(spans):
    marks = [(event, kind, name) for name, pair in spans.items() for kind, event in zip(("open", "close"), pair)]

    def compare(a, b):
        ms = a[0].elapsed_time(b[0])
        if ms == 0:
            return (a[1] == "open") - (b[1] == "open")
        return -1 if ms > 0 else 1

    is_open, pairs = set(), []
    for event, kind, name in sorted(marks, key=functools.cmp_to_key(compare)):
        if kind == "close":
            is_open.discard(name)
        else:
            pairs.extend([name, other] for other in is_open)
            is_open.add(name)
    return pairs
