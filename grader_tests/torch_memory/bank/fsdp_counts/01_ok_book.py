# The reference.
def fsdp_counts(layers, wrapping, reshard, passes):
    units = sum(layers[number] > 0 for number in wrapping)
    root = any(size for number, size in enumerate(layers) if number not in wrapping)
    gathers = units * (2 if reshard else 1) + root
    return passes * gathers, passes * (units + root)
