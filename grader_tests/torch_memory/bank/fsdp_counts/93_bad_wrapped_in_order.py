# The wrapped layers are taken to be in order: the root holds what is between them.
# breaks: 1, 2
# kills: test_all_gathers, test_layers_without_parameters, test_reduce_scatters
# misconception: one-gather-each
def fsdp_counts(layers, wrapping, reshard, passes):
    units = sum(layers[n] > 0 for n in wrapping)
    gaps, before = [], -1
    for n in [*wrapping, len(layers)]:
        gaps += layers[before + 1 : n]
        before = n
    root = any(gaps)
    return passes * (units * (1 + reshard) + root), passes * (units + root)
