# Joins the results on the device and copies them at once.
# breaks: 4
# kills: test_copies_beside_products, test_everything_before_the_wait
# misconception: order-of-lines
def run_and_copy(x):
    joined = nd.stack(*run(x)).copyto(mx.cpu(0))
    copies = [joined[i].copy() for i in range(10)]
    nd.waitall()
    return copies
