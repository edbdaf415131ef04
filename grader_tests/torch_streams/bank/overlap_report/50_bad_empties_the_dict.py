# Takes the pieces out of the dict that it was given.
# breaks: 5
# kills: test_dict_stays
# misconception: reads-the-task
def overlap_report(spans):
    pairs = []
    while spans:
        a, (s, e) = spans.popitem()
        pairs += [(a, b) for b, (t, f) in spans.items() if s.elapsed_time(f) > 0 and t.elapsed_time(e) > 0]
    return pairs
