# The two numbers swapped.
# breaks: 1, 2
# kills: test_all_gathers, test_layers_without_parameters, test_reduce_scatters
# misconception: one-gather-each
def fsdp_counts(layers, wrapping, reshard, passes):
    units = sum(layers[number] > 0 for number in wrapping)
    root = any(size for number, size in enumerate(layers) if number not in wrapping)
    gathers = units * (2 if reshard else 1) + root
    return passes * (units + root), passes * gathers
