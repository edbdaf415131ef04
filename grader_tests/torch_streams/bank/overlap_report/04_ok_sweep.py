# A sweep over all events in the order of their times.
def overlap_report(spans):
    zero = None
    moments = []
    for name, (start, end) in spans.items():
        zero = zero or start
        moments.append((zero.elapsed_time(start), True, name))
        moments.append((zero.elapsed_time(end), False, name))
    running, pairs = set(), []
    for _, begins, name in sorted(moments):
        if begins:
            pairs += [[other, name] for other in running]
            running.add(name)
        else:
            running.discard(name)
    return pairs
