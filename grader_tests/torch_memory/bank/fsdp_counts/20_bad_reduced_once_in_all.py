# Gradients are reduced once, after the last pass.
# breaks: 2
# kills: test_reduce_scatters, test_root_alone, test_layers_without_parameters
# misconception: one-gather-each
def fsdp_counts(layers, wrapping, reshard, passes):
    units = sum(layers[number] > 0 for number in wrapping)
    root = any(size for number, size in enumerate(layers) if number not in wrapping)
    gathers = units * (2 if reshard else 1) + root
    return passes * gathers, units + root
