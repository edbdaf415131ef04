# A set of frozensets; waits for the events first, which does no harm.
def overlap_report(spans):
    gpu.synchronize()
    return {
        frozenset((a, b))
        for a, (a0, a1) in spans.items()
        for b, (b0, b1) in spans.items()
        if a != b and a0.elapsed_time(b1) > 0 and b0.elapsed_time(a1) > 0
    }
