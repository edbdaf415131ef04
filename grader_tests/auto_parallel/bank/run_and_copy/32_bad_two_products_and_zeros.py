# Two products; ten results are made of them with + 0, five of each.
# breaks: 2
# misconception: work-not-done
def run_and_copy(x):
    products = nd.dot(x, x), nd.dot(x, x)
    copies = [(products[i % 2] + 0).copyto(mx.cpu()) for i in range(10)]
    nd.waitall()
    return copies
