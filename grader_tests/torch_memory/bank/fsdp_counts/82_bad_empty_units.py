# A wrapped layer without parameters is counted as a unit.
# breaks: 4
# kills: test_layers_without_parameters
# misconception: one-gather-each
def fsdp_counts(layers, wrapping, reshard, passes):
    root = any(size for number, size in enumerate(layers) if number not in wrapping)
    units = len(wrapping)
    return passes * (units * (2 if reshard else 1) + root), passes * (units + root)
