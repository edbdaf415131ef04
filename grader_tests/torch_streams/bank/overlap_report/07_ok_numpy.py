# Starts and ends in NumPy arrays.
def overlap_report(spans):
    names = list(spans)
    if len(names) < 2:
        return []
    zero = spans[names[0]][0]
    starts = numpy.array([zero.elapsed_time(spans[name][0]) for name in names])
    ends = numpy.array([zero.elapsed_time(spans[name][1]) for name in names])
    both = (starts[:, None] < ends[None, :]) & (starts[None, :] < ends[:, None])
    return [(names[i], names[j]) for i, j in zip(*numpy.nonzero(numpy.triu(both, 1)))]
