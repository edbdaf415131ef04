# Through NumPy and float32, cast back at the end.
# breaks: 7
# misconception: numpy-and-the-engine
def split_and_load(data, ctx):
    parts = numpy.array_split(data.asnumpy(), len(ctx))
    return [nd.array(part, ctx=place).astype(data.dtype) for part, place in zip(parts, ctx)]
