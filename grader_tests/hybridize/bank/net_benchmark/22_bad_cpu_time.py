# process_time does not run while the front end waits.
# breaks: 5
# misconception: clock-sees-the-work
def benchmark(net, x):
    start = time.process_time()
    for i in range(1000):
        _ = net(x)
    nd.waitall()
    return time.process_time() - start
