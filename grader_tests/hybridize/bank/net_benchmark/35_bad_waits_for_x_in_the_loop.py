# Asks in each pass whether the input is there: it is, so this waits for nothing, and takes its time.
# breaks: 3
# kills: test_no_wait_in_the_loop
# misconception: wait-in-the-loop
def benchmark(net, x):
    start = time.time()
    for _ in range(1000):
        x.wait_to_read()
        net(x)
    nd.waitall()
    return time.time() - start
