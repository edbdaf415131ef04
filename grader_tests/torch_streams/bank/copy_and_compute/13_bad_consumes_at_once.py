# consume before the copy has run.
# breaks: 3
# kills: test_consume_after_the_copy, test_goes_on, test_value
# misconception: copy-has-happened
def copy_and_compute(xs, consume):
    copying, kept = gpu.Stream(), []
    for x in xs:
        y = x @ x
        kept.append(y)
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        consume(host)
    gpu.synchronize()
