# Returns floats.
# breaks: 8
# kills: test_integers
# misconception: reads-the-task
def fsdp_counts(layers, wrapping, reshard, passes):
    units = sum(layers[number] > 0 for number in wrapping)
    root = any(size for number, size in enumerate(layers) if number not in wrapping)
    gathers = units * (2 if reshard else 1) + root
    return float(passes * gathers), float(passes * (units + root))
