# matrix_power, and a stream for each of the ten.
def run_both(x, y):
    here, lists = gpu.current_stream(), ([], [])
    begun = here.record_event()
    for matrix, products in zip((x, y), lists):
        for _ in range(5):
            stream = gpu.Stream()
            with gpu.stream(stream):
                begun.wait()
                products.append(torch.linalg.matrix_power(matrix, 2))
            here.wait_stream(stream)
    return lists
