# No pieces of work are an error.
# breaks: 4
# kills: test_nothing_overlaps
def overlap_report(spans):
    zero = next(iter(spans.values()))[0]
    times = {name: (zero.elapsed_time(start), zero.elapsed_time(end)) for name, (start, end) in spans.items()}
    names = list(times)
    return [
        (a, b)
        for place, a in enumerate(names)
        for b in names[place + 1 :]
        if times[a][0] < times[b][1] and times[b][0] < times[a][1]
    ]
