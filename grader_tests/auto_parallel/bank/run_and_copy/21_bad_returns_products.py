# Enqueues the copies and returns the products.
# breaks: 3
# misconception: as-in-context
def run_and_copy(x):
    ys = run(x)
    copy_to_cpu(ys)
    nd.waitall()
    return ys
