# Ten products on each device; what is returned for the second one are ten copies of its last product.
# breaks: 2
# kills: test_ten_products
# misconception: work-not-done
def run_both(x_a, x_b):
    ys_a, ys_b = run(x_a), run(x_b)
    return ys_a, [ys_b[-1] + 0 for _ in ys_b]
