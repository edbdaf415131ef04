# Products and copies for show; what comes back was computed by NumPy.
# breaks: 2
# kills: test_ten_products
# misconception: work-not-done
def run_and_copy(x):
    copy_to_cpu(run(x))
    values = x.asnumpy()
    nd.waitall()
    return [nd.array(values @ values, ctx=mx.cpu(0), dtype=x.dtype) for _ in range(10)]
