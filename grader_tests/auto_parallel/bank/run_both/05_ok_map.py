# map over both, unpacked; a look at the contexts needs no numbers.
def run_both(x_a, x_b):
    assert x_a.context != x_b.context, 'two devices, please'
    ys_a, ys_b = map(run, (x_a, x_b))
    return list(ys_a), list(ys_b)
