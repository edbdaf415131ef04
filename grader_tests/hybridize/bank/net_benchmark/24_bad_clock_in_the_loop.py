# The clock starts anew in every pass.
# breaks: one clock around all passes
# misconception: clock-sees-the-work
def benchmark(net, x):
    for i in range(1000):
        start = time.time()
        _ = net(x)
    nd.waitall()
    return time.time() - start
