# Enqueues the copies and returns the products.
# breaks: the copies are returned
# misconception: as-in-context
def run_and_copy(x):
    ys = run(x)
    copy_to_cpu(ys)
    nd.waitall()
    return ys
