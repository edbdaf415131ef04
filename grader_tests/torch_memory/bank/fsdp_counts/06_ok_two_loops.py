# Counts layer by layer.
def fsdp_counts(layers, wrapping, reshard, passes):
    gathers, reduces, left = 0, 0, 0
    for number, size in enumerate(layers):
        if size == 0:
            continue
        if number in wrapping:
            gathers += 2 if reshard else 1
            reduces += 1
        else:
            left += size
    if left:
        gathers, reduces = gathers + 1, reduces + 1
    return gathers * passes, reduces * passes
