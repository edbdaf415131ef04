# The products are computed with float32, whatever the type of x.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def run(x):
    x = x.astype("float32")
    return [nd.dot(x, x) for _ in range(10)]
