# An infinite number becomes NaN.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def copy_to_cpu(ys):
    copies = [y.copyto(mx.cpu(0)) for y in ys]
    return [copy + 0 * copy if copy.dtype.__name__ == "float32" else copy for copy in copies]
