# Layers without parameters count as units.
# breaks: 4
# kills: test_layers_without_parameters
# misconception: one-gather-each
def fsdp_counts(layers, wrapping, reshard, passes):
    units = len(wrapping)
    root = len(wrapping) < len(layers)
    gathers = units * (2 if reshard else 1) + root
    return passes * gathers, passes * (units + root)
