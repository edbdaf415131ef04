# The root sends something even where nothing is left for it.
# breaks: 3
# kills: test_all_gathers, test_reduce_scatters, test_layers_without_parameters
# misconception: one-gather-each
def fsdp_counts(layers, wrapping, reshard, passes):
    units = sum(layers[number] > 0 for number in wrapping)
    root = 1
    gathers = units * (2 if reshard else 1) + root
    return passes * gathers, passes * (units + root)
