# The book's copyto(mx.cpu()).
def copy_to_cpu(ys):
    return [y.copyto(mx.cpu()) for y in ys]
