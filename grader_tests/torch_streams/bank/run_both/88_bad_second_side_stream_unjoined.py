# Two side streams, and only the second one is joined.
# breaks: 5
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def run_both(x, y):
    streams = gpu.Stream(), gpu.Stream()
    lists = []
    for stream, a in zip(streams, (x, y)):
        stream.wait_stream(gpu.current_stream())
        with gpu.stream(stream):
            lists.append([a @ a for _ in range(5)])
    gpu.current_stream().wait_stream(stream)
    return lists[0], lists[1]
