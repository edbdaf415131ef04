# A piece that begins at the event at which another one ends counts as overlapping it.
# breaks: 6
# kills: test_nothing_overlaps
# misconception: reads-the-task
def overlap_report(spans):
    names = sorted(spans)
    return [
        (a, b)
        for place, a in enumerate(names)
        for b in names[place + 1 :]
        if spans[a][0].elapsed_time(spans[b][1]) >= 0 and spans[b][0].elapsed_time(spans[a][1]) >= 0
    ]
