# A chain: each product is multiplied again.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)

    def chain(matrix):
        products = [matrix @ matrix]
        for _ in range(4):
            products.append(products[-1] @ matrix)
        return products

    xs = chain(x)
    with gpu.stream(side):
        ys = chain(y)
    current.wait_stream(side)
    return xs, ys
