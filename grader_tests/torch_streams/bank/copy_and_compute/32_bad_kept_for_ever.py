# The products stay in the default value of an argument.
# breaks: 10
# kills: test_memory_comes_back
# misconception: freed-and-still-read
def copy_and_compute(xs, consume, products=[]):
    copying, copies = gpu.Stream(), []
    for x in xs:
        products.append(x @ x)
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host = products[-1].to("cpu", non_blocking=True)
        copies.append((host, copying.record_event()))
    for host, done in copies:
        done.synchronize()
        consume(host)
