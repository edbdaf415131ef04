# Waits for the event after the product, and not for the one after the copy.
# breaks: 3
# kills: test_consume_after_the_copy, test_value
# misconception: copy-has-happened
def copy_and_compute(xs, consume):
    copying, copies = gpu.Stream(), []
    for x in xs:
        y = x @ x
        done = gpu.current_stream().record_event()
        copying.wait_event(done)
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        copies.append((host, done, y))
    for host, done, _ in copies:
        done.synchronize()
        consume(host)
