# Takes the lengths only: overlapped if both together are longer than from first to last.
# breaks: 1
# kills: test_each_way, test_nothing_overlaps, test_value
# misconception: overlap
def overlap_report(spans):
    names, pairs = list(spans), []
    for i, a in enumerate(names):
        for b in names[i + 1:]:
            whole = spans[a][0].elapsed_time(spans[b][1])
            both = spans[a][0].elapsed_time(spans[a][1]) + spans[b][0].elapsed_time(spans[b][1])
            if both > whole:
                pairs.append((a, b))
    return pairs
