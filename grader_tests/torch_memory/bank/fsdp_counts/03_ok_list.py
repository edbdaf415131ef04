# A list in the place of a tuple, sets in the place of sums.
def fsdp_counts(layers, wrapping, reshard, passes):
    full = {i for i, size in enumerate(layers) if size != 0}
    own = full & set(wrapping)
    root = 1 if full - own else 0
    return [(len(own) * (1 + reshard) + root) * passes, (len(own) + root) * passes]
