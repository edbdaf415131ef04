# elapsed_time the wrong way round.
# breaks: 1
# kills: test_dict_stays, test_each_pair_once, test_each_way, test_nothing_overlaps, test_value
# misconception: overlap
def overlap_report(spans):
    names = sorted(spans)
    return [
        (a, b)
        for place, a in enumerate(names)
        for b in names[place + 1 :]
        if spans[b][1].elapsed_time(spans[a][0]) > 0 and spans[a][1].elapsed_time(spans[b][0]) > 0
    ]
