# Only looks whether the later one of the dict begins within the earlier one.
# breaks: 1
# kills: test_each_way, test_value
# misconception: overlap
def overlap_report(spans):
    names, pairs = list(spans), []
    for i, a in enumerate(names):
        for b in names[i + 1:]:
            if spans[a][0].elapsed_time(spans[b][0]) > 0 and spans[b][0].elapsed_time(spans[a][1]) > 0:
                pairs.append((a, b))
    return pairs
