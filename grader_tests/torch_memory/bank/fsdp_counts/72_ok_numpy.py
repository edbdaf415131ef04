# With arrays and a mask; whole numbers of NumPy's are given back as a list.
def fsdp_counts(layers, wrapping, reshard, passes):
    has = numpy.array(layers) > 0
    own = numpy.zeros(len(layers), dtype=bool)
    own[list(wrapping)] = True
    units, root = (has & own).sum(), (has & ~own).any()
    return [passes * (units * (1 + bool(reshard)) + root), passes * (units + root)]
