# Also pairs each with itself.
# breaks: 3
# kills: test_each_pair_once
# misconception: reads-the-task
def overlap_report(spans):
    names = sorted(spans)
    return [
        (a, b)
        for place, a in enumerate(names)
        for b in names[place:]
        if spans[a][0].elapsed_time(spans[b][1]) > 0 and spans[b][0].elapsed_time(spans[a][1]) > 0
    ]
