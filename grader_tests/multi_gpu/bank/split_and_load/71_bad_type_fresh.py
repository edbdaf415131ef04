# Through NumPy, and back with nd.array.
# breaks: 7
# kills: test_types
# misconception: numpy-and-the-engine
def split_and_load(data, ctx):
    if len(data) % len(ctx):
        raise ValueError(f"{len(data)} examples cannot be shared by {len(ctx)} devices")
    return [nd.array(part, ctx=place) for part, place in zip(numpy.split(data.asnumpy(), len(ctx)), ctx)]
