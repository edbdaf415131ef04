# A layer of one number is taken for none.
# breaks: 3
# kills: test_all_gathers, test_reduce_scatters
# misconception: one-gather-each
def fsdp_counts(layers, wrapping, reshard, passes):
    units = sum(layers[number] > 1 for number in wrapping)
    root = any(size for number, size in enumerate(layers) if number not in wrapping)
    gathers = units * (2 if reshard else 1) + root
    return passes * gathers, passes * (units + root)
