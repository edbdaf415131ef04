# Goes through the passes one by one.
def fsdp_counts(layers, wrapping, reshard, passes):
    own = [n for n in wrapping if layers[n]]
    rest = [n for n in range(len(layers)) if n not in wrapping and layers[n]]
    units = [(True, reshard) for _ in own] + ([(False, False)] if rest else [])
    gathers = reduces = 0
    for _ in range(passes):
        here = set()
        for place, (_, again) in enumerate(units):
            gathers += 1
            here.add(place)
            if again:
                here.remove(place)
        for place in reversed(range(len(units))):
            if place not in here:
                gathers += 1
            reduces += 1
    return gathers, reduces
