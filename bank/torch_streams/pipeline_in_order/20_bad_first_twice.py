# The first stage is computed once more in the second stream.
# breaks: each stage once
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
