# The root is counted though nothing is left for it.
# breaks: 4
# kills: test_all_gathers, test_layers_without_parameters, test_reduce_scatters
# misconception: one-gather-each
def fsdp_counts(layers, wrapping, reshard, passes):
    units = len([number for number in wrapping if layers[number]])
    return (units * (2 if reshard else 1) + 1) * passes, (units + 1) * passes
