# Returns None if nothing overlaps.
# breaks: 4
# kills: test_nothing_overlaps
# misconception: reads-the-task
def overlap_report(spans):
    names = sorted(spans)
    return pairs(spans, names) or None


def pairs(spans, names):
    return [
        (a, b)
        for place, a in enumerate(names)
        for b in names[place + 1 :]
        if spans[a][0].elapsed_time(spans[b][1]) > 0 and spans[b][0].elapsed_time(spans[a][1]) > 0
    ]
