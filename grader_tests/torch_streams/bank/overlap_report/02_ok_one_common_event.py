# All times from one common event.
def overlap_report(spans):
    if not spans:
        return []
    zero = next(iter(spans.values()))[0]
    times = {name: (zero.elapsed_time(start), zero.elapsed_time(end)) for name, (start, end) in spans.items()}
    pairs = []
    for a in times:
        for b in times:
            if a < b and max(times[a][0], times[b][0]) < min(times[a][1], times[b][1]):
                pairs.append((a, b))
    return pairs
