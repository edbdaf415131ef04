# wait_stream in each step, all intermediate results kept.
def pipeline_in_order(first, second, xs):
    late, hidden, results = gpu.Stream(), [], []
    for x in xs:
        hidden.append(first(x))
        late.wait_stream(gpu.current_stream())
        with gpu.stream(late):
            results.append(second(hidden[-1]))
    gpu.current_stream().wait_stream(late)
    return results
