# Arrays and masks.
def fsdp_counts(layers, wrapping, reshard, passes):
    sizes = numpy.array(layers)
    mine = numpy.isin(numpy.arange(len(sizes)), wrapping)
    units = int(((sizes > 0) & mine).sum())
    root = int(((sizes > 0) & ~mine).any())
    return numpy.int64(passes * (units + root + (units if reshard else 0))), numpy.int64(passes * (units + root))
