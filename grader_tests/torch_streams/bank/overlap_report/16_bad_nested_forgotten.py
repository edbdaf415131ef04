# Forgets that one may lie inside the other.
# breaks: 1
# kills: test_each_way, test_value
# misconception: overlap
def overlap_report(spans):
    if not spans:
        return []
    zero = next(iter(spans.values()))[0]
    times = {name: (zero.elapsed_time(start), zero.elapsed_time(end)) for name, (start, end) in spans.items()}
    return [
        (a, b)
        for a in times
        for b in times
        if times[a][0] < times[b][0] < times[a][1] < times[b][1]
    ]
