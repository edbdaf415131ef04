# The pairs that did not overlap.
# breaks: 1
# kills: test_dict_stays, test_each_pair_once, test_each_way, test_nothing_overlaps, test_value
# misconception: overlap
def overlap_report(spans):
    names = sorted(spans)
    return [
        (a, b)
        for place, a in enumerate(names)
        for b in names[place + 1 :]
        if spans[a][0].elapsed_time(spans[b][1]) < 0 or spans[b][0].elapsed_time(spans[a][1]) < 0
    ]
