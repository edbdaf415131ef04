# slice_axis, with the rest spread over the first devices.
def split_and_load(data, ctx):
    size, extra = divmod(data.shape[0], len(ctx))
    shards, begin = [], 0
    for number, place in enumerate(ctx):
        end = begin + size + (number < extra)
        shards.append(nd.slice_axis(data, axis=0, begin=begin, end=end).as_in_context(place))
        begin = end
    return shards
