# Goes along the time; at equal times, ends come first.
def overlap_report(spans):
    marks = []
    for name, (start, end) in spans.items():
        zero = next(iter(spans.values()))[0]
        marks += [(zero.elapsed_time(start), 1, name), (zero.elapsed_time(end), 0, name)]
    open_now, pairs = [], []
    for _, begins, name in sorted(marks):
        if begins:
            pairs += [(other, name) for other in open_now]
            open_now.append(name)
        else:
            open_now.remove(name)
    return pairs
