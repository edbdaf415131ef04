# The second gather where nothing was sharded again.
# breaks: 1
# kills: test_all_gathers, test_layers_without_parameters
# misconception: one-gather-each
def fsdp_counts(layers, wrapping, reshard, passes):
    units = sum(layers[number] > 0 for number in wrapping)
    root = any(size for number, size in enumerate(layers) if number not in wrapping)
    gathers = units * (1 if reshard else 2) + root
    return passes * gathers, passes * (units + root)
