# Without sharding again, a unit is gathered once for all passes.
# breaks: 1
# misconception: one-gather-each
# kills: test_all_gathers, test_layers_without_parameters
def fsdp_counts(layers, wrapping, reshard, passes):
    units = sum(layers[number] > 0 for number in wrapping)
    root = any(size for number, size in enumerate(layers) if number not in wrapping)
    gathers = units * (2 if reshard else 1) + root
    gathers = gathers * (passes if reshard else 1)
    return gathers, passes * (units + root)
