# Without resharding a unit is gathered in the first pass only.
# breaks: 1
# kills: test_all_gathers, test_layers_without_parameters
# misconception: one-gather-each
def fsdp_counts(layers, wrapping, reshard, passes):
    units = sum(1 for number in wrapping if layers[number])
    root = int(any(size for number, size in enumerate(layers) if number not in wrapping))
    gathers = 2 * units * passes if reshard else units
    return gathers + root * passes, (units + root) * passes
