# Each layer that is left for the root is counted as a message of its own.
# breaks: 3
# kills: test_all_gathers, test_layers_without_parameters, test_reduce_scatters, test_root_alone
# misconception: one-gather-each
def fsdp_counts(layers, wrapping, reshard, passes):
    units = [number for number in wrapping if layers[number]]
    rest = [number for number, size in enumerate(layers) if size and number not in wrapping]
    return passes * (len(units) * (2 if reshard else 1) + len(rest)), passes * (len(units) + len(rest))
