# One stream, a wait after each stage, and a first call to see the shape.
# breaks: 3, 4, 8
# kills: test_each_stage_once, test_no_wait, test_side_by_side
# misconception: one-stream-one-queue
def pipeline_in_order(first, second, xs):
    first(xs[0]).shape
    results = []
    for x in xs:
        h = first(x)
        gpu.synchronize()
        results.append(second(h))
        gpu.synchronize()
    return results
