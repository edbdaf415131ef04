# Clears x when it is no longer needed.
# breaks: 8
# kills: test_value
# misconception: reads-the-task
def run_and_copy(x):
    copies = [nd.dot(x, x).copyto(mx.cpu(0)) for _ in range(10)]
    x[:] = 0
    nd.waitall()
    return copies
