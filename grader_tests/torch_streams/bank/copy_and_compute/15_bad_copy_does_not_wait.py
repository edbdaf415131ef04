# The copying stream does not wait for the product.
# breaks: 6
# kills: test_no_race, test_results_stay, test_value
# misconception: streams-know-nothing
def copy_and_compute(xs, consume):
    copying, copies = gpu.Stream(), []
    for x in xs:
        y = x @ x
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        copies.append((host, copying.record_event(), y))
    for host, done, _ in copies:
        done.synchronize()
        consume(host)
