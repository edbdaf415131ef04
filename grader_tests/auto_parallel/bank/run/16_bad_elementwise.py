# x * x is not the matrix product.
# breaks: the values
# misconception: reads-the-task
def run(x):
    return [x * x for _ in range(10)]
