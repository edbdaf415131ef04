# Joins two names by a word that a name may contain, and splits them again.
# breaks: 1
# kills: test_each_pair_once, test_value
# misconception: overlap
def overlap_report(spans):
    found = set()
    for a, (a_start, a_end) in spans.items():
        for b, (b_start, b_end) in spans.items():
            if a != b and a_start.elapsed_time(b_end) > 0 and b_start.elapsed_time(a_end) > 0:
                found.add(" and ".join(sorted([a, b])))
    return [tuple(pair.split(" and ")[:2]) for pair in found]
