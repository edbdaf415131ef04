# Each pair in both orders.
# breaks: 2
# kills: test_each_pair_once
# misconception: reads-the-task
def overlap_report(spans):
    return [
        (a, b)
        for a in spans
        for b in spans
        if a != b and spans[a][0].elapsed_time(spans[b][1]) > 0 and spans[b][0].elapsed_time(spans[a][1]) > 0
    ]
