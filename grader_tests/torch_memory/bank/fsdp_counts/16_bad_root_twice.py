# The root is gathered twice as well.
# breaks: 1
# kills: test_all_gathers, test_root_alone, test_layers_without_parameters
# misconception: one-gather-each
def fsdp_counts(layers, wrapping, reshard, passes):
    units = sum(layers[number] > 0 for number in wrapping)
    root = any(size for number, size in enumerate(layers) if number not in wrapping)
    gathers = (units + root) * (2 if reshard else 1)
    return passes * gathers, passes * (units + root)
