# set_stream, and back in the end.
def run_both(x, y):
    here, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(here)
    gpu.set_stream(side)
    try:
        ys = []
        while len(ys) < 5:
            ys += [y @ y]
    finally:
        gpu.set_stream(here)
    xs = []
    while len(xs) < 5:
        xs += [x @ x]
    here.wait_stream(side)
    return tuple(xs), tuple(ys)
