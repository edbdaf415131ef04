# Copies x to the host and computes there.
# breaks: 3
# kills: test_copies_beside_products, test_devices, test_everything_before_the_wait, test_products_beside_copies, test_ten_products
# misconception: order-of-lines
def run_and_copy(x):
    here = x.as_in_context(mx.cpu(0))
    copies = [nd.dot(here, here) for _ in range(10)]
    nd.waitall()
    return copies
