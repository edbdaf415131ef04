# All pairs in both orders, a set throws the double ones out.
def overlap_report(spans):
    def begins_in(a, b):
        return a[0].elapsed_time(b[0]) >= 0 and b[0].elapsed_time(a[1]) > 0

    pairs = {frozenset((p, q)) for p in spans for q in spans if p != q and begins_in(spans[p], spans[q])}
    return [tuple(sorted(pair)) for pair in pairs]
