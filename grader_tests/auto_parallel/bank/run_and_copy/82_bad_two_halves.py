# Five products and copies, a wait, and the other five.
# breaks: 6
# kills: test_copies_beside_products, test_everything_before_the_wait, test_products_beside_copies, test_ten_products
# misconception: order-of-lines
def run_and_copy(x):
    copies = []
    for half in range(2):
        ys = [nd.dot(x, x) for _ in range(5)]
        copies += copy_to_cpu(ys)
        nd.waitall()
    return copies
