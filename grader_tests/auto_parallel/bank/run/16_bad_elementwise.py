# x * x is not the matrix product.
# breaks: 1
# misconception: reads-the-task
def run(x):
    return [x * x for _ in range(10)]
