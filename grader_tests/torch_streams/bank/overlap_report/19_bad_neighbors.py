# Only neighbors in the order of the dict.
# breaks: 1
# kills: test_value
# misconception: overlap
def overlap_report(spans):
    names = list(spans)
    return [
        (a, b)
        for a, b in zip(names, names[1:])
        if spans[a][0].elapsed_time(spans[b][1]) > 0 and spans[b][0].elapsed_time(spans[a][1]) > 0
    ]
