# The root is gathered again before backward, as the others.
# breaks: 5
# kills: test_all_gathers, test_layers_without_parameters, test_root_alone
# misconception: one-gather-each
def fsdp_counts(layers, wrapping, reshard, passes):
    owners = {number if number in wrapping else "root" for number, size in enumerate(layers) if size}
    return passes * len(owners) * (1 + reshard), passes * len(owners)
