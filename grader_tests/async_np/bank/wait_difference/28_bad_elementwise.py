# The star multiplies element by element: there is no matrix product.
# breaks: 1
# kills: test_products
# misconception: reads-the-task
def wait_difference(a, b):
    start = time.perf_counter()
    middle = a * a
    b * b
    middle.wait_to_read()
    seconds_one = time.perf_counter() - start
    npx.waitall()
    return seconds_one, time.perf_counter() - start
