# Takes layers without parameters out of the list wrapping that it was given.
# breaks: 7
# kills: test_list_stays
# misconception: reads-the-task
def fsdp_counts(layers, wrapping, reshard, passes):
    for n in list(wrapping):
        if not layers[n]:
            wrapping.remove(n)
    root = any(size for n, size in enumerate(layers) if n not in wrapping)
    return passes * (len(wrapping) * (1 + bool(reshard)) + root), passes * (len(wrapping) + root)
