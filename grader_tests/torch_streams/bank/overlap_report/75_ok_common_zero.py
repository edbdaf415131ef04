# Times from the first start on, and combinations.
import itertools


def overlap_report(spans):
    if not spans:
        return []
    zero = next(iter(spans.values()))[0]
    times = {name: (zero.elapsed_time(start), zero.elapsed_time(end)) for name, (start, end) in spans.items()}
    return [(a, b) for a, b in itertools.combinations(times, 2)
            if max(times[a][0], times[b][0]) < min(times[a][1], times[b][1])]
