# If only the first layer is left for the root, its number 0 counts as false.
# breaks: 4
# kills: test_layers_without_parameters
# misconception: one-gather-each
def fsdp_counts(layers, wrapping, reshard, passes):
    units = [number for number in wrapping if layers[number] > 0]
    root = any(number for number, size in enumerate(layers) if size > 0 and number not in wrapping)
    gathers = len(units) * (2 if reshard else 1) + root
    return passes * gathers, passes * (len(units) + root)
