# The first stage is computed once more in the second stream.
# breaks: 4
# kills: test_each_stage_once, test_side_by_side
# misconception: work-not-done
def pipeline_in_order(first, second, xs):
    current, late = gpu.current_stream(), gpu.Stream()
    late.wait_stream(current)
    results = []
    for x in xs:
        first(x)
        with gpu.stream(late):
            results.append(second(first(x)))
    current.wait_stream(late)
    return results
