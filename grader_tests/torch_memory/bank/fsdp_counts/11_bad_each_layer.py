# One for each layer, whatever is wrapped.
# breaks: 3
# kills: test_all_gathers, test_reduce_scatters, test_root_alone, test_layers_without_parameters
# misconception: one-gather-each
def fsdp_counts(layers, wrapping, reshard, passes):
    units = sum(size > 0 for size in layers)
    root = 0
    gathers = units * (2 if reshard else 1) + root
    return passes * gathers, passes * (units + root)
