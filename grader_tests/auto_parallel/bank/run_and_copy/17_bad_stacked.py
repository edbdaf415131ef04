# Joins the results on the device and makes one large copy.
# breaks: 4
# misconception: order-of-lines
def run_and_copy(x):
    ys = nd.stack(*run(x))
    copied = ys.copyto(mx.cpu())
    nd.waitall()
    return [copied[i] for i in range(10)]
